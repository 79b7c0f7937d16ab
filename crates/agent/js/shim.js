// Stamps what an answer delivers to its app. The app keeps its own Response, its own chunks and its own pace.
//
// Only own properties of that one object are added: a `body` that reads the native one when it is read
// itself, and the whole-body methods, which stay native and are watched by their promise. What happens is
// told to the answer's log; see README.md for the log's words. Nothing in here is asynchronous towards the
// app, and nothing that fails in the log reaches it.

/** On a response its log, on a patched `fetch` the original: also across copies of this package. */
export const MARK = Symbol.for('streamlag');

/** How an answer ended: to its end, broken, ended by the app, by the app's time limit. */
const [DONE, BROKEN, ABORTED, TIMED_OUT] = [0, 1, 2, 3];
/** Most bytes that one log keeps while nobody reads it. */
const KEPT_BYTES = 262144;
/** What an entry without bytes counts for. */
const ENTRY_BYTES = 64;
const WHOLE = ['text', 'json', 'arrayBuffer', 'bytes', 'blob', 'formData'];

export const now = () => performance.now();

/**
 * A log without a reader: it keeps what it is told, until `to` is set or it is too much.
 * `far`: bytes told so far; `branches`: the response and its clones that may still be read.
 */
export const newLog = (facts) => ({ facts, to: null, kept: [], size: 0, far: 0, branches: 0, spent: 0, isOver: false });

/** Tells the log's reader, or keeps it for the reader to come. A reader that fails is not told again. */
export const tell = (log, what, at, value, spent) => {
  try {
    if (log.to) return log.to[what](at, value, spent);
    if (!log.kept) return;
    const isBytes = what == 'bytes';
    log.size += ENTRY_BYTES + (isBytes ? value.length : 0);
    // The chunk is the app's: it may change it or give it away.
    if (log.size > KEPT_BYTES) log.kept = null;
    else log.kept.push([what, at, isBytes ? value.slice() : value]);
  } catch {
    log.to = log.kept = null;
  }
};

/** Nothing more comes. Only the first end counts. */
export const end = (log, how) => {
  const at = now();
  if (log.isOver) return;
  log.isOver = true;
  tell(log, 'end', at, how, log.spent);
};

const reason = (log, error) => {
  const name = error?.name;
  if (name == 'TimeoutError') return TIMED_OUT;
  return name == 'AbortError' || log.facts.signal?.aborted ? ABORTED : BROKEN;
};

/**
 * Sends by the native `fetch`, then begins the log; the answer resolves to the very Response, shadowed.
 * `begin` gives the log; `wanted` may turn an answer down that is no stream.
 */
export const send = (fetch, input, init, facts, begin, wanted) => {
  facts.wall = Date.now();
  facts.at = now();
  const answer = fetch(input, init);
  const log = begin(facts);
  return answer.then(
    (response) => {
      const at = now();
      try {
        if (wanted(response)) {
          tell(log, 'headers', at, response);
          return shadow(response, log);
        }
        log.to?.drop();
      } catch {
        // An engine without what is needed: the answer is the app's all the same.
      }
      log.to = log.kept = null;
      return response;
    },
    (error) => {
      end(log, reason(log, error));
      throw error;
    },
  );
};

const own = (object, name, what) => Object.defineProperty(object, name, { configurable: true, ...what });
const method = (object, name, value) => own(object, name, { value, writable: true });

/** Whether a stream hands out bytes into the reader's own buffers; its shadow then does so too. */
const readsBytes = (stream) => {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
};

/** Makes the response tell its log what it delivers. */
export const shadow = (response, log) => {
  const native = Object.getOwnPropertyDescriptor(Response.prototype, 'body').get;
  // Asked for anew each time: cloning replaces it.
  const body = () => native.call(response);
  let stream, reader, read = 0, isOver = false;
  log.branches += 1;

  const over = (how) => {
    if (isOver) return false;
    isOver = true;
    log.branches -= 1;
    // The source goes on for as long as a clone is read.
    if (how != ABORTED || !log.branches) end(log, how);
    return true;
  };
  const fail = (error) => over(reason(log, error));

  /** Of several clones, each byte counts where it is delivered first. */
  const seen = (at, chunk) => {
    read += chunk.length;
    const fresh = read - log.far;
    if (!(fresh > 0) || log.isOver) return;
    log.far = read;
    tell(log, 'bytes', at, fresh < chunk.length ? chunk.subarray(-fresh) : chunk, log.spent);
    log.spent = 0;
  };

  /** The native body is locked by the first read, not by a look at `body`. */
  const source = (controller) => {
    if (reader) return reader;
    reader = body().getReader();
    reader.closed.then(
      () => {
        if (!over(DONE)) return;
        controller.close();
        controller.byobRequest?.respond(0);
      },
      (error) => fail(error) && controller.error(error),
    );
    return reader;
  };

  const lazily = (type) => new ReadableStream({
    type,
    pull: (controller) => source(controller).read().then(({ done, value }) => {
      const at = now();
      if (done) return;
      seen(at, value);
      controller.enqueue(value);
      log.spent += now() - at;
    }),
    cancel: (why) => {
      over(ABORTED);
      return (reader ?? body()).cancel(why);
    },
  }, { highWaterMark: 0 });

  own(response, MARK, { value: log });
  own(response, 'body', {
    get: () => {
      const found = stream ?? body();
      if (stream || !found || found.locked) return found;
      return stream = lazily(readsBytes(found) ? 'bytes' : undefined);
    },
  });
  for (const name of WHOLE) {
    const whole = response[name];
    if (!whole) continue;
    method(response, name, () => {
      if (stream?.locked) return Promise.reject(new TypeError('body stream is locked'));
      return whole.call(response).then((value) => {
        const at = now();
        // The app may change what its JSON became.
        if (!log.far && !log.isOver) tell(log, 'whole', at, name == 'json' ? JSON.stringify(value) : value);
        over(DONE);
        return value;
      }, (error) => {
        fail(error);
        throw error;
      });
    });
  }
  const { clone } = response;
  method(response, 'clone', () => {
    if (stream?.locked) throw new TypeError('body stream is locked');
    return shadow(clone.call(response), log);
  });
  if (!body()) over(DONE);
  return response;
};
