// The worker's entry: hands events to the wasm module, and starts it anew after a panic.
//
// How the folder that workerd (or `wrangler deploy`) loads is made:
//   1. cargo build --target wasm32-unknown-unknown --profile wasm-demo -p streamlag-worker
//   2. wasm-bindgen 0.2.130 (crate wasm-bindgen-cli-support) on target/…/streamlag_worker.wasm, with
//        .out_name("index").typescript(false).module(true)?
//        .reset_state_function(true).force_enable_abort_handler(true)
//      `module(false)` is not "without": it leaves the bundler's mode, whose glue cannot start anew.
//      It writes index.js, index_bg.wasm and snippets/worker-<hash>/inline0.js (keep them all).
//   3. In index.js replace `import source wasmModule from` by `import wasmModule from`: workerd gives a
//      compiled module to a plain import and does not know source-phase imports.
//   4. wasm-opt, if wanted, with the features that rustc enables *and* --enable-exception-handling (the
//      glue catches JavaScript's exceptions in wasm).
//   5. shim.mjs beside them. workerd.capnp says how to serve the folder.
//
// Why `module`: its glue makes the instance itself, from the imported module, and can make another one
// (`__wbg_reset_state`). Panics abort, so a trapped instance is of no use any more; the glue then resets on
// the next call into it. What it cannot know is that a region's object lives in the old instance, and that
// the calls which ran in it will never be answered. This file does.

import { DurableObject } from "cloudflare:workers";
import * as wasm from "./index.js";

// A call into the module: if the last one trapped, the glue starts a new instance here, and counts it.
const instance = () => wasm.__worker_init_state().instanceId;

// The calls that run. An exception that nobody caught comes from a task of the module, which has trapped by
// then: none of them will be answered any more.
const running = new Set();
addEventListener("error", () => {
  for (const fail of running) fail(new Error("the prober stopped and starts anew: try again"));
  running.clear();
});

function answered(call) {
  return new Promise((resolve, reject) => {
    running.add(reject);
    // `call` may trap at once; a promise's body turns that into a rejection.
    call().then(resolve, reject).finally(() => running.delete(reject));
  });
}

export class Region extends DurableObject {
  #inner;
  #madeIn;

  // The object's Rust half, of the instance that runs now. Its memory is in storage, so nothing but the
  // probe that trapped is lost.
  get #region() {
    const now = instance();
    if (this.#madeIn !== now) {
      this.#inner = new wasm.Region(this.ctx, this.env);
      this.#madeIn = now;
    }
    return this.#inner;
  }

  fetch(request) {
    return answered(() => this.#region.fetch(request));
  }

  // The platform wants no answer. A failed alarm is repeated by it.
  async alarm() {
    await answered(() => this.#region.alarm());
  }
}

export default {
  fetch: (request, env, ctx) => answered(() => wasm.fetch(request, env, ctx)),
  scheduled: (event, env, ctx) => answered(() => wasm.scheduled(event, env, ctx)),
};
