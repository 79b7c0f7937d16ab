// An app as a team writes one, with a function for each way to read an answer.
import * as streamlag from 'streamlag';

let mock = '';
const kept = new Map();

const text = (chunks) => {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
};

const ask = (model, id, more = {}) => [`${mock}/openai/v1/chat/completions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-request-id': id },
  body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hello' }] }),
  ...more,
}];

/** Each gives the body's text; all of them must give the same. */
const ways = {
  async reader(response) {
    const reader = response.body.getReader();
    const chunks = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text(chunks);
      chunks.push(value);
    }
  },
  async byob(response) {
    const reader = response.body.getReader({ mode: 'byob' });
    const chunks = [];
    let buffer = new ArrayBuffer(64);
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return text(chunks);
      chunks.push(value.slice());
      buffer = value.buffer;
    }
  },
  async forAwait(response) {
    const chunks = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return text(chunks);
  },
  async pipeThrough(response) {
    let whole = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) whole += piece;
    return whole;
  },
  async tee(response) {
    const [one, other] = response.body.tee();
    const [first, second] = await Promise.all([new Response(one).text(), new Response(other).text()]);
    return first === second ? first : 'different';
  },
  newResponse: (response) => new Response(response.body, response).text(),
  text: (response) => response.text(),
  async arrayBuffer(response) {
    return text([new Uint8Array(await response.arrayBuffer())]);
  },
  async blob(response) {
    return (await response.blob()).text();
  },
  async clone(response) {
    const copy = response.clone();
    const [first, second] = await Promise.all([ways.reader(response), ways.text(copy)]);
    return first === second ? first : 'different';
  },
  async cloneAlone(response) {
    const copy = response.clone();
    response.body.cancel();
    return ways.reader(copy);
  },
};

window.streamlag = streamlag;
window.app = {
  start(options, mockUrl) {
    mock = mockUrl;
    streamlag.init(options);
  },

  /** Waits until the core, or what takes its place, reads the logs. */
  async warm() {
    const log = streamlag.wrap(new Response('x'));
    for (let tries = 0; tries < 400; tries += 1) {
      if (streamlag.stream(log).id) return log.text();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('no core came');
  },

  async read(way, model, id, target) {
    const response = await streamlag.fetchFor({ id: target })(...ask(model, id));
    return ways[way](response);
  },

  async bare(model, id) {
    const response = await fetch(...ask(model, id));
    return response.text();
  },

  async json(model, id, target) {
    const response = await streamlag.fetchFor({ id: target })(...ask(model, id));
    return response.json();
  },

  /** Starts to read and leaves the rest to `then`. */
  async begin(model, id, target) {
    const controller = new AbortController();
    const response = await streamlag.fetchFor({ id: target })(...ask(model, id, { signal: controller.signal }));
    const reader = response.body.getReader();
    await reader.read();
    kept.set(id, { controller, reader, response });
    return response.bodyUsed;
  },

  async cancel(id) {
    await kept.get(id).reader.cancel('enough');
    return (await kept.get(id).reader.read()).done;
  },

  async abort(id) {
    const { controller, reader } = kept.get(id);
    setTimeout(() => controller.abort());
    try {
      for (;;) await reader.read();
    } catch (error) {
      return [error.name, error instanceof DOMException];
    }
  },

  async plain(model, id) {
    const response = await streamlag.fetch(...ask(model, id));
    return ways.reader(response);
  },

  async statusOnly(model, id, target) {
    return (await streamlag.fetchFor({ id: target })(...ask(model, id))).status;
  },

  /** What a look at the response tells, of an answer measured or bare. */
  async look(isMeasured, id) {
    const fetchIt = isMeasured ? streamlag.fetch : fetch;
    const response = await fetchIt(...ask('mock-quick', id));
    const { url, type, status, ok, redirected, bodyUsed } = response;
    const seen = {
      url, type, status, ok, redirected, bodyUsed,
      isResponse: response instanceof Response,
      isStream: response.body instanceof ReadableStream,
      isSameBody: response.body === response.body,
      isLocked: response.body.locked,
      brand: Object.prototype.toString.call(response),
      keys: Object.keys(response),
      names: Array.from(response.headers.keys()),
      contentType: response.headers.get('content-type'),
    };
    response.body.getReader();
    seen.isLockedByReader = response.body.locked;
    seen.secondReader = (() => {
      try {
        response.body.getReader();
      } catch (error) {
        return error.name;
      }
    })();
    seen.textOfLocked = await response.text().catch((error) => error.name);
    seen.cloneOfLocked = (() => {
      try {
        response.clone();
      } catch (error) {
        return error.name;
      }
    })();
    return seen;
  },

  /** How much is drawn from a source that nobody, or a slow reader, reads. */
  async drawn(isMeasured, reads) {
    let drawn = 0;
    const source = new ReadableStream({
      pull(controller) {
        drawn += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    }, { highWaterMark: 0 });
    const made = new Response(source);
    const response = isMeasured ? streamlag.wrap(made) : made;
    const reader = response.body.getReader();
    for (let at = 0; at < reads; at += 1) await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return [drawn, response === made];
  },

  /** Reads so many chunks of an answer that has no end. */
  async endless(chunks, size) {
    const source = new ReadableStream({
      type: 'bytes',
      pull: (controller) => controller.enqueue(new Uint8Array(size).fill(97)),
    });
    const reader = streamlag.wrap(new Response(source)).body.getReader();
    kept.set('endless', reader);
    let bytes = 0;
    for (let at = 0; at < chunks; at += 1) bytes += (await reader.read()).value.length;
    return bytes;
  },

  async shown(model, id, target) {
    const element = document.getElementById('answer');
    const response = await streamlag.fetchFor({ id: target })(...ask(model, id));
    const stop = streamlag.observe(element);
    for await (const chunk of response.body) element.append(text([chunk]));
    stop();
    return streamlag.stream(response).id;
  },

  async committed(model, id, target) {
    const element = document.getElementById('answer');
    const response = await streamlag.fetchFor({ id: target })(...ask(model, id));
    const stream = streamlag.stream(response);
    let seq = 0;
    for await (const chunk of response.body) {
      element.append(text([chunk]));
      stream.committed(seq);
      seq += 1;
    }
    return seq;
  },

  /** Keeps the main thread busy once, in the middle of an answer. */
  async busy(model, id, target, ms) {
    const response = await streamlag.fetchFor({ id: target })(...ask(model, id));
    let reads = 0;
    for await (const chunk of response.body) {
      reads += 1;
      const until = performance.now() + (reads === 6 && chunk.length ? ms : 0);
      while (performance.now() < until);
    }
    return reads;
  },

  /** Shows each piece only some time after it came. */
  async throttled(model, id, target, ms) {
    const element = document.getElementById('answer');
    const response = await streamlag.fetchFor({ id: target })(...ask(model, id));
    const stream = streamlag.stream(response);
    const shown = [];
    let seq = 0;
    for await (const chunk of response.body) {
      const through = seq;
      seq += 1;
      shown.push(new Promise((resolve) => setTimeout(() => {
        element.append(text([chunk]));
        stream.committed(through);
        resolve();
      }, ms)));
    }
    await Promise.all(shown);
  },

  /** Through a patched `fetch`: which of two addresses is measured, and what a second patch does. */
  async patched(id, other, target) {
    const native = window.fetch;
    const match = { url: `${mock}/openai/`, target: { id: target } };
    const first = streamlag.instrumentFetch({ match: [match] });
    const patched = window.fetch;
    const second = streamlag.instrumentFetch({ match: [match] });
    await (await fetch(...ask('mock-quick', id))).text();
    await (await fetch(`${mock}/truth?limit=1&x=${other}`)).text();
    const seen = {
      isPatched: patched !== native,
      isActive: [first.isActive, second.isActive],
      isPatchedOnce: window.fetch === patched,
      isOriginalKept: first.original === native,
    };
    first.restore();
    seen.isRestored = window.fetch === native && !first.isActive;
    return seen;
  },

  async openai(model, id) {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({
      baseURL: `${mock}/openai/v1`, apiKey: 'none', maxRetries: 0, dangerouslyAllowBrowser: true,
      fetch: streamlag.fetch, defaultHeaders: { 'x-request-id': id },
    });
    const seen = { text: '', finish: null, usage: null };
    const stream = await client.chat.completions.create({
      model, stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'hello' }],
    });
    for await (const chunk of stream) {
      seen.text += chunk.choices[0]?.delta?.content ?? '';
      seen.finish = chunk.choices[0]?.finish_reason ?? seen.finish;
      seen.usage = chunk.usage ?? seen.usage;
    }
    return seen;
  },

  async openaiStopped(model, id) {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({
      baseURL: `${mock}/openai/v1`, apiKey: 'none', maxRetries: 0, dangerouslyAllowBrowser: true,
      fetch: streamlag.fetch, defaultHeaders: { 'x-request-id': id },
    });
    const stream = await client.chat.completions.create({ model, stream: true, messages: [{ role: 'user', content: 'hello' }] });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta?.content) break;
    }
  },

  async many(model, target, count) {
    const fetch = streamlag.fetchFor({ id: target });
    for (let at = 0; at < count; at += 4) {
      const four = [0, 1, 2, 3].map((more) => fetch(...ask(model, `${target}-${at + more}`)));
      await Promise.all(four.map(async (answer) => ways.reader(await answer)));
    }
  },

  /** Of the records that the page keeps. */
  async waitingBytes() {
    const open = indexedDB.open('streamlag');
    await new Promise((resolve) => open.onsuccess = resolve);
    const all = open.result.transaction('records').objectStore('records').getAll();
    await new Promise((resolve) => all.onsuccess = resolve);
    open.result.close();
    return all.result.reduce((sum, { json }) => sum + json.length, 0);
  },

  /** By a Request of its own, as some clients do. */
  async byRequest(model, id, target) {
    const request = new Request(...ask(model, id));
    const response = await streamlag.fetchFor({ id: target })(request);
    return [await response.text(), request.bodyUsed];
  },

  refusal(options) {
    try {
      streamlag.init(options);
    } catch (error) {
      return [error.constructor.name, error.message];
    }
  },

  async stored() {
    const databases = await indexedDB.databases();
    return [{ ...localStorage }, { ...sessionStorage }, databases.map(({ name }) => name)];
  },
  loaded: () => performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname),
  flush: () => streamlag.flush(),
  consent: (isGranted) => streamlag.consent(isGranted),
};
