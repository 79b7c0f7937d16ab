// The bare loop that the worker's numbers are compared with: fetch, read, stamp. Test and demo only.
//
// POST /bare {url, headers, body, needle, ids, in_objects} → [{ttft_ms, total_ms, reads}, …]
//   ids       one request each, all at once, with these as their x-request-id
//   in_objects  each in an object of its own, as the worker's regions are: what leaves an object waits for the
//             platform to let it out, which takes its time where many leave at once
//   needle    a regular expression; the first read after which the text so far matches it is the first
//             token's (default: a non-empty "content" of an OpenAI-like event)
//   ttft_ms   just before fetch → that read; null: it never matched
//   total_ms  just before fetch → the end of the body
//   reads     the non-empty reads: just before fetch → the read's return, and its bytes

import { DurableObject } from "cloudflare:workers";

const NEEDLE = '"content":\\s*"[^"]';

export class Bare extends DurableObject {
  async fetch(request) {
    const { asked, id } = await request.json();
    return Response.json(await one(asked, id));
  }
}

export default {
  async fetch(request, env) {
    const path = new URL(request.url).pathname;
    if (request.method !== "POST" || path !== "/bare") {
      return Response.json({ error: "unknown path: POST /bare" }, { status: 404 });
    }
    const asked = await request.json();
    // It asks whatever it is told to: only ever this machine.
    if (!["127.0.0.1", "localhost"].includes(new URL(asked.url).hostname)) {
      return Response.json({ error: "only this machine is asked" }, { status: 403 });
    }
    const where = asked.in_objects ? inObject(env) : one;
    return Response.json(await Promise.all(asked.ids.map((id, place) => where(asked, id, place))));
  },
};

const inObject = (env) => async (asked, id, place) => {
  const body = JSON.stringify({ asked, id });
  const object = env.BARE.getByName(`bare:${place}`);
  return (await object.fetch("https://bare/", { method: "POST", body })).json();
};

function one({ url, headers, body, needle }, id) {
  const init = { method: "POST", headers: { ...headers, "x-request-id": id }, body };
  return loop(url, init, needle ?? NEEDLE);
}

async function loop(url, init, needle) {
  const asked = new Request(url, { ...init, redirect: "manual" });
  // As in the worker: in production the clock moves with I/O only.
  await new Promise((done) => setTimeout(done, 1));
  const sent = Date.now();
  const reader = (await fetch(asked)).body.getReader();
  const reads = [];
  let ended;
  for (;;) {
    const { done, value } = await reader.read();
    const at = Date.now();
    if (done) {
      ended = at;
      break;
    }
    reads.push([at, value]);
  }
  return {
    ttft_ms: firstMatch(reads, needle, sent),
    total_ms: ended - sent,
    reads: reads.map(([at, bytes]) => [at - sent, bytes.length]),
  };
}

function firstMatch(reads, needle, sent) {
  const pattern = new RegExp(needle);
  const decoder = new TextDecoder();
  let text = "";
  for (const [at, bytes] of reads) {
    text += decoder.decode(bytes, { stream: true });
    if (pattern.test(text)) return at - sent;
  }
  return null;
}
