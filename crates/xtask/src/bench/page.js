// Two readers of event streams take turns on the same chunks in one page: ours as wasm, and npm's
// eventsource-parser with JSON.parse, fed with decoded text as its users do.
window.bench = (() => {
  const ROUNDS = 11;
  const READ = 4096;
  let ours, parser;
  let bodies = [];

  async function load(glue, wasm, errors, parse) {
    ours = await import(moduleUrl(bytes(glue)));
    await ours.default({ module_or_path: bytes(wasm) });
    const text = new TextDecoder().decode(bytes(parse));
    const inPlace = text.replace(/(['"])\.\/errors\.js\1/, JSON.stringify(moduleUrl(bytes(errors))));
    parser = await import(moduleUrl(inPlace));
  }

  function add(base64) {
    bodies.push(bytes(base64));
  }

  function withOurs(chunks) {
    const stream = new ours.Stream();
    for (const chunk of chunks) stream.push(chunk);
    stream.finish();
    const seen = { events: stream.events(), content: stream.content() };
    stream.free();
    return seen;
  }

  function withTheirs(chunks) {
    const seen = { events: 0, content: 0 };
    const reader = parser.createParser({
      onEvent(event) {
        seen.events += 1;
        if (event.data === '[DONE]') return;
        const content = JSON.parse(event.data).choices?.[0]?.delta?.content;
        if (typeof content === 'string') seen.content += content.length;
      },
    });
    const decoder = new TextDecoder();
    for (const chunk of chunks) reader.feed(decoder.decode(chunk, { stream: true }));
    reader.feed(decoder.decode());
    return seen;
  }

  const contenders = [
    ['streamlag reader (wasm)', withOurs],
    ['eventsource-parser + JSON.parse', withTheirs],
  ];

  function reads(body) {
    const chunks = [];
    for (let at = 0; at < body.length; at += READ) chunks.push(body.subarray(at, at + READ));
    return chunks;
  }

  /** Reads about so many bytes a round: of one long stream, or of all bodies again and again. */
  async function compare(length, endless) {
    const once = bodies.reduce((sum, body) => sum + body.length, 0);
    const times = Math.ceil(length / once);
    const all = bodies.map(reads);
    const repeated = Array.from({ length: times }, () => all).flat();
    const streams = endless ? [repeated.flat()] : repeated;
    bodies = [];
    const results = contenders.map(([name]) => ({ name, bytes: once * times, ns: [] }));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const who = (round + turn) % contenders.length;
        const sum = { events: 0, content: 0 };
        const start = performance.now();
        for (const chunks of streams) {
          const seen = contenders[who][1](chunks);
          sum.events += seen.events;
          sum.content += seen.content;
        }
        const took = performance.now() - start;
        Object.assign(results[who], sum);
        // The first round warms up.
        if (round > 0) results[who].ns.push(took * 1e6);
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
    const [first, second] = results;
    if (first.events !== second.events || (endless && first.content !== second.content)) {
      throw new Error(`not the same was read: ${JSON.stringify(results)}`);
    }
    return results;
  }

  return { load, add, compare };
})();
