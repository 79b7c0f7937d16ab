// The way to the collector, with and without the core: the policy of the native outbox, in a page.
import { newStore } from './store.js';

/** Browsers let all requests that may outlive their page carry 64 KiB together. */
const EXIT_BYTES = 60 << 10;
const BATCH_BYTES = 48 << 10;
const BATCH_RECORDS = 50;
const MOST_WAITING = 500;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1_000, 60_000];

const bytesOf = (json) => new Blob([json]).size + 1;
const isStored = (status) => status >= 200 && status < 300;
/** The records themselves are wrong: they will never be taken. */
const isRefused = (status) => status == 400 || status == 422;

export const newDelivery = (url, warn) => {
  const store = newStore();
  const flying = new Set();
  let waiting = [];
  let failures = 0, notBefore = 0, halved = 0, timer;

  const keep = (items) => {
    const known = new Set(waiting.map(({ id }) => id));
    waiting = [...items.filter(({ id }) => !known.has(id)), ...waiting];
    const over = waiting.splice(0, Math.max(0, waiting.length - MOST_WAITING));
    store.remove(over);
  };

  /** The oldest that fit; where nothing else would ever go, one that does not. */
  const take = (room, atLeast) => {
    const most = Math.max(1, BATCH_RECORDS >> halved);
    let count = 0;
    while (count < Math.min(most, waiting.length) && (room -= waiting[count].bytes) >= 0) count += 1;
    return waiting.splice(0, Math.max(count, atLeast));
  };

  const post = async (batch) => {
    flying.add(batch);
    let status = 0, pause = 0;
    try {
      // A text body and no header of our own: no preflight, also across origins.
      const body = batch.map(({ json }) => json).join('\n');
      const answer = await fetch(url, { method: 'POST', body, keepalive: body.length < EXIT_BYTES });
      ({ status } = answer);
      pause = Number(answer.headers.get('retry-after')) * 1_000 || 0;
      // Read to its end: browsers count unread answers against what may outlive a page.
      await answer.text();
    } catch {
      warn('the collector cannot be reached; records wait');
    }
    // Cleared meanwhile: nothing of it is wanted any more.
    if (flying.delete(batch)) settle(batch, status, pause);
    pump();
  };

  const settle = (batch, status, pause) => {
    const isTooLarge = status == 413;
    if (isStored(status)) [failures, notBefore, halved] = [0, 0, 0];
    if (isStored(status) || isRefused(status) || (isTooLarge && batch.length == 1)) return store.remove(batch);
    keep(batch);
    if (isTooLarge) {
      halved += 1;
      return;
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    failures += 1;
    // Half of the wait is fixed, half is drawn: pages that failed together don't come back together.
    notBefore = Date.now() + Math.max(pause, wait * (0.5 + Math.random() / 2));
  };

  /** The next batch, if it is time; one at a time. */
  const pump = () => {
    clearTimeout(timer);
    if (flying.size || !waiting.length) return;
    const wait = notBefore - Date.now();
    if (wait > 0) timer = setTimeout(pump, wait);
    else post(take(BATCH_BYTES, 1));
  };

  /** All that may outlive the page; there is no later to wait for. */
  const leave = () => {
    for (;;) {
      let room = EXIT_BYTES;
      for (const batch of flying) room -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
      const batch = take(Math.min(room, BATCH_BYTES), 0);
      if (!batch.length) return;
      post(batch);
    }
  };

  store.all().then((items) => {
    keep(items.map((item) => ({ ...item, bytes: bytesOf(item.json) })));
    pump();
  });

  return {
    leave,
    push(id, json) {
      const item = { id, json, bytes: bytesOf(json) };
      waiting.push(item);
      keep([]);
      store.put(item);
      pump();
    },
    /** Called last, so that the records that a leaving page makes are there already. */
    watch() {
      document.addEventListener('visibilitychange', () => (document.hidden ? leave() : pump()));
      addEventListener('pagehide', leave);
      addEventListener('online', () => {
        notBefore = 0;
        pump();
      });
    },
    async flush() {
      let before;
      do {
        before = waiting.length;
        leave();
        if (!flying.size && waiting.length) post(take(BATCH_BYTES, 1));
        while (flying.size) await new Promise((resolve) => setTimeout(resolve, 5));
      } while (waiting.length && waiting.length < before);
      return !waiting.length;
    },
    clear() {
      clearTimeout(timer);
      waiting = [];
      flying.clear();
      store.clear();
    },
  };
};
