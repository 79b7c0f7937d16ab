// Readers of event streams take turns on the same chunks in one page: ours as wasm, and npm's
// eventsource-parser with JSON.parse, fed with decoded text as its users do.
window.bench = (() => {
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

  // As who measures needs it: the text is looked at where it is.
  function counted(chunks) {
    const stream = new ours.Stream(false);
    for (const chunk of chunks) stream.push(chunk);
    return ended(stream, '');
  }

  // As who shows it needs it: a string for each read that brought text.
  function handedOut(chunks, keep) {
    const stream = new ours.Stream(true);
    let text = '';
    let length = 0;
    for (const chunk of chunks) {
      stream.push(chunk);
      const piece = stream.take_text();
      length += piece.length;
      if (keep) text += piece;
    }
    const seen = ended(stream, text);
    if (seen.length !== length) throw new Error(`${length} units handed out, ${seen.length} counted`);
    return seen;
  }

  function ended(stream, text) {
    stream.finish();
    const seen = { events: stream.events(), length: stream.length(), text };
    stream.free();
    return seen;
  }

  function withTheirs(chunks, keep, take) {
    const seen = { events: 0, length: 0, text: '' };
    const say = (piece) => {
      if (typeof piece !== 'string') return;
      seen.length += piece.length;
      if (keep) seen.text += piece;
    };
    const reader = parser.createParser({
      onEvent(event) {
        seen.events += 1;
        if (event.data !== '[DONE]') take(JSON.parse(event.data), say);
      },
    });
    const decoder = new TextDecoder();
    for (const chunk of chunks) reader.feed(decoder.decode(chunk, { stream: true }));
    reader.feed(decoder.decode());
    return seen;
  }

  const contenders = [
    ['streamlag reader (wasm)', false, counted],
    ['streamlag reader (wasm), text as strings', false, handedOut],
    ['eventsource-parser + JSON.parse', true, withTheirs],
  ];

  // How the text is taken from a provider's event, and where the provider is not known.
  const takes = {
    openai: (event, say) => say(event.choices?.[0]?.delta?.content),
    anthropic: (event, say) => event.type === 'content_block_delta' && say(event.delta.text),
    captures(event, say) {
      switch (event.type) {
        case 'content_block_delta':
          return say(event.delta.text);
        case 'content-delta':
          return say(event.delta.message.content.text);
        case 'response.output_text.delta':
          return say(event.delta);
      }
      if (event.type !== undefined) return;
      for (const { delta, text } of event.choices ?? []) {
        say(delta?.content);
        say(text);
        if (Array.isArray(delta?.content)) delta.content.forEach((part) => say(part.text));
      }
      for (const { content } of event.candidates ?? []) {
        content?.parts?.forEach((part) => part.thought || say(part.text));
      }
      event.results?.forEach((result) => say(result.generated_text));
    },
  };

  function reads(body) {
    const chunks = [];
    for (let at = 0; at < body.length; at += READ) chunks.push(body.subarray(at, at + READ));
    return chunks;
  }

  /** Who leaves events or text out is not to be compared with. */
  function same(bodies, take) {
    for (const [number, chunks] of bodies.entries()) {
      const [counted, ...others] = contenders.map(([, , read]) => read(chunks, true, take));
      const said = JSON.stringify(others[0]);
      const { events, length } = others[0];
      if (counted.events !== events || counted.length !== length || others.some((other) => JSON.stringify(other) !== said)) {
        throw new Error(`body ${number} is not read alike: ${JSON.stringify([counted, ...others])}`);
      }
    }
  }

  /** Reads about so many bytes a round: of one long stream, or of all bodies again and again. */
  async function compare(name, length, rounds) {
    const once = bodies.reduce((sum, body) => sum + body.length, 0);
    const times = Math.max(1, Math.round(length / once));
    const all = bodies.map(reads);
    const endless = bodies.length === 1;
    bodies = [];
    const take = takes[name];
    same(all, take);
    const repeated = Array.from({ length: times }, () => all).flat();
    const streams = endless ? [repeated.flat()] : repeated;
    const results = contenders.map(([name, other]) => ({ name, other, bytes: once * times, ns: [] }));
    for (let round = 0; round <= rounds; round += 1) {
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const who = (round + turn) % contenders.length;
        const sum = { events: 0, length: 0 };
        const start = performance.now();
        for (const chunks of streams) {
          const seen = contenders[who][2](chunks, false, take);
          sum.events += seen.events;
          sum.length += seen.length;
        }
        const took = performance.now() - start;
        Object.assign(results[who], sum);
        // The first round warms up.
        if (round > 0) results[who].ns.push(took * 1e6);
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
    return results;
  }

  return { load, add, compare };
})();
