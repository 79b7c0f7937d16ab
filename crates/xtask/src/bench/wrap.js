// The same chunks through a bare response and through a measured one, by turns: what measuring adds to a read.
import * as streamlag from '/streamlag/index.js';

const CHUNKS = 4000;
const ROUNDS = 21;

/** One event a read, as providers send them. */
const event = (content) => `data: ${JSON.stringify({
  id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1796056159, model: 'a-model',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})}\n\n`;

const answer = () => {
  const bytes = new TextEncoder().encode(event(' word'));
  let sent = 0;
  return new Response(new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (sent++ < CHUNKS) controller.enqueue(bytes.slice());
      else controller.close();
    },
  }), { headers: { 'content-type': 'text/event-stream' } });
};

const read = async (response) => {
  const reader = response.body.getReader();
  const start = performance.now();
  while (!(await reader.read()).done);
  return ((performance.now() - start) * 1e3) / CHUNKS;
};

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

let record;
streamlag.init({ collector: '/', consent: true, beforeSend: (made) => { record = made; return null; } });

window.bench = async () => {
  while (!streamlag.stream(streamlag.wrap(new Response('x'))).id) await new Promise((resolve) => setTimeout(resolve, 20));
  const [bare, measured, own] = [[], [], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const plain = await read(answer());
    const wrapped = await read(streamlag.wrap(answer()));
    // The first round warms up.
    if (!round) continue;
    bare.push(plain);
    measured.push(wrapped);
    own.push((record.own_cost_ms * 1e3) / record.counts.reads);
    if (record.counts.content !== CHUNKS) throw new Error(`${record.counts.content} of ${CHUNKS} were read`);
  }
  const added = measured.map((us, at) => us - bare[at]);
  return { chunks: CHUNKS, rounds: ROUNDS, bare_us: median(bare), measured_us: median(measured), added_us: median(added), own_us: median(own) };
};
