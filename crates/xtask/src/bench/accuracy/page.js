// The agent and a bare loop in one page. Each is started by a call that returns at once, and posts what it saw.
window.accuracy = (() => {
  /** The test driver's own work in the page is over by then. */
  const PAUSE_MS = 60;
  let ours, mailbox;

  async function load(glue, wasm, collector, postTo) {
    const module = await import(moduleUrl(bytes(glue)));
    await module.default({ module_or_path: bytes(wasm) });
    ours = new module.Page(collector);
    mailbox = postTo;
  }

  const hex = (digits) => crypto.randomUUID().replaceAll('-', '').slice(0, digits);

  async function read(url, headers, body) {
    const id = hex(32);
    const traced = [...headers, ['x-request-id', id], ['traceparent', `00-${hex(32)}-${hex(16)}-01`]];
    const request = new Request(url, { method: 'POST', headers: traced, body });
    const sent = performance.now();
    const reader = (await fetch(request)).body.getReader();
    const reads = [];
    for (;;) {
      const { done, value } = await reader.read();
      const at = performance.now();
      if (done) break;
      reads.push([at - sent, value.length]);
    }
    return [id, url, reads];
  }

  function all(who, urls, headers, body) {
    if (who === 'ours') return ours.ask(urls, headers.flat(), body);
    return Promise.all(urls.map((url) => read(url, headers, body)));
  }

  function start(who, urls, headers, body) {
    setTimeout(async () => {
      let letter;
      try {
        letter = { streams: await all(who, urls, headers, body) };
      } catch (error) {
        letter = { error: String(error?.stack ?? error) };
      }
      await fetch(mailbox, { method: 'POST', mode: 'no-cors', body: JSON.stringify(letter) });
    }, PAUSE_MS);
  }

  return { load, start };
})();
