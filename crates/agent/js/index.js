// The face: what an app calls. README.md says how the parts work together.
import { MARK, end, newLog, now, send, shadow, tell } from './shim.js';
import { check, isUsable } from './options.js';
import { forget, newGate } from './gate.js';
import { isMeasured, matcher } from './match.js';

/** Logs that may wait for the core at once; further answers are not measured. */
const MOST_WAITING = 16;
/** How long an answer with a failure's status waits to be read. */
const UNREAD_MS = 1000;
/** Acts that a user waits from. */
const ACTS = ['click', 'submit', 'keydown', 'pointerup', 'change'];

const page = typeof document == 'object' ? document : null;

let settings = null;
let granted = false;
/** The wasm core or its substitute, once there. */
let core = null;
let loading = null;
let waiting = [];
let acted;
const observed = new Set();

const said = new Set();
/** Tells the developer, once each. */
const warn = (text, error = '') => {
  if (!said.has(text)) console.warn(`streamlag: ${text}`, error);
  said.add(text);
};

/** Runs our own part of a call that is the app's: whatever goes wrong in it stays in it. */
const safely = (run, otherwise) => {
  try {
    return run();
  } catch (error) {
    warn('something went wrong inside; the app is not affected', error);
    return otherwise;
  }
};

export function init(options) {
  check(options);
  if (!page) return;
  if (settings) return warn('init was called again and changes nothing');
  settings = { ...options };
  settings.records = recordsUrl(settings);
  settings.gate = newGate(settings, () => granted, warn);
  page.addEventListener('visibilitychange', () => {
    for (const log of waiting) tell(log, 'visibility', now(), page.hidden);
  });
  if (settings.consent) consent(true);
}

/** The key goes into the address: a header of our own would cost a preflight. */
const recordsUrl = ({ collector, key }) => {
  const url = new URL(`${collector.replace(/\/+$/, '')}/v1/records`, page.baseURI);
  if (key) url.searchParams.set('key', key);
  return url.href;
};

export function consent(isGranted) {
  if (!settings) return warn('consent was called before init and changes nothing');
  granted = isGranted === true;
  if (granted) return load();
  for (const log of waiting) log.kept = null;
  waiting = [];
  safely(() => core?.clear());
  forget();
}

const idle = (run) => (globalThis.requestIdleCallback ?? setTimeout)(run);

const load = () => {
  loading ??= new Promise(idle)
    .then(() => import('./core.js'))
    .then((module) => {
      const { inTime, ready } = module.begin(settings, warn);
      // The core may need longer than the page stays: what was kept is then told to its substitute.
      addEventListener('pagehide', () => safely(() => {
        if (core || !waiting.length) return;
        arrive(inTime());
        core.leave();
        core = null;
      }));
      return ready;
    })
    .then(arrive, (error) => warn('the core did not load; nothing is measured', error));
};

const arrive = (arrived) => {
  core = arrived;
  const logs = waiting;
  waiting = [];
  for (const log of logs) {
    const { kept } = log;
    if (!kept) {
      warn('an answer was too large to wait for the core; it was not measured');
      continue;
    }
    log.kept = null;
    safely(() => {
      log.to = core.open(log.facts, true);
      for (const [what, at, value] of kept) log.to[what](at, value, 0);
      log.to.caught_up();
    });
  }
};

/** A log for one request, read by the core at once where it is there. */
const begin = (facts) => {
  const log = newLog(facts);
  safely(() => {
    if (core) {
      log.to = core.open(facts, false);
      for (const element of observed) log.to.observe(element);
      log.kept = null;
    } else if (waiting.length < MOST_WAITING) {
      waiting = waiting.filter((other) => other.kept);
      waiting.push(log);
    } else {
      log.kept = null;
    }
  });
  return log;
};

/** What is known before the request is sent; `null`: it is not measured. */
const facts = (input, init, target) => {
  if (!settings || !granted) return null;
  const url = new URL(input?.url ?? input, page.baseURI);
  if (url.href.startsWith(settings.records)) return null;
  const event = globalThis.event;
  const intent = acted ?? (event?.isTrusted && ACTS.includes(event.type) ? event.timeStamp : undefined);
  acted = undefined;
  return {
    url: url.href,
    signal: init?.signal ?? input?.signal,
    target: target ?? settings.target ?? { id: url.host },
    base: url.origin + url.pathname,
    hidden: page.hidden,
    intent,
  };
};

/** An app that only looks at the status of a failure never reads it. */
const watchFailure = (response) => {
  setTimeout(() => response[MARK].far || response.bodyUsed || end(response[MARK], 0), UNREAD_MS);
};

const original = () => {
  const { fetch } = globalThis;
  return (fetch[MARK] ?? fetch).bind(globalThis);
};

const measured = (native, input, init, target, wanted) => {
  const known = safely(() => facts(input, init, target), null);
  if (!known) return native(input, init);
  return send(native, input, init, known, begin, (response) => {
    const isWanted = wanted(response);
    if (isWanted && response.status >= 400) watchFailure(response);
    return isWanted;
  });
};

export function fetch(input, init) {
  return measured(original(), input, init, undefined, () => true);
}

export const fetchFor = (target) => {
  const usable = isUsable(target) ? target : warn('fetchFor needs a target with an id; the default is used');
  return (input, init) => measured(original(), input, init, usable, () => true);
};

export function wrap(response, { target } = {}) {
  if (!(response instanceof Response) || response[MARK]) return response;
  return safely(() => {
    const known = facts(response.url || page.baseURI, undefined, target);
    if (!known || response.bodyUsed) return response;
    const log = begin({ ...known, at: null, wall: Date.now() });
    tell(log, 'headers', now(), response);
    shadow(response, log);
    return response;
  }, response);
}

export function observe(element) {
  if (!(element instanceof Element)) {
    warn('observe needs an element');
    return () => {};
  }
  observed.add(element);
  safely(() => core?.observe(element));
  return () => observed.delete(element);
}

export function stream(response) {
  const log = response?.[MARK];
  const ask = (what, ...given) => safely(() => log?.to?.[what](...given));
  return {
    get id() {
      return log?.to?.id ?? null;
    },
    committed: (seq) => void ask('committed', seq),
    observe: (element) => void ask('observe', element),
  };
}

export function intent(event) {
  acted = event?.timeStamp;
}

export function instrumentFetch(options) {
  const native = globalThis.fetch;
  const refused = (why) => {
    warn(`instrumentFetch: ${why}; fetch is as it was`);
    return { isActive: false, original: native, restore: () => {} };
  };
  if (native[MARK]) return refused('fetch is wrapped already');
  const match = safely(() => matcher(options?.match, page?.baseURI), null);
  if (!match) return refused('match must name URLs');
  let isOn = true;
  const patched = function fetch(input, init) {
    const found = isOn && safely(() => match(new URL(input?.url ?? input, page?.baseURI)), null);
    return found ? measured(native.bind(globalThis), input, init, found.target, isMeasured) : native.call(globalThis, input, init);
  };
  Object.defineProperty(patched, MARK, { value: native });
  globalThis.fetch = patched;
  return {
    get isActive() {
      return isOn;
    },
    original: native,
    restore() {
      isOn = false;
      // Who wrapped us keeps a fetch that passes everything on.
      if (globalThis.fetch === patched) globalThis.fetch = native;
    },
  };
}

export async function flush() {
  if (!settings || !granted) return true;
  await loading;
  return (await core?.flush()) ?? false;
}
