// Stands for the module's glue: it counts instances as the glue does, and can be made to trap in a task.

let instanceId = 1;
let trapped = false;
let waiting = 0;

export function __worker_init_state() {
  if (trapped) {
    trapped = false;
    instanceId += 1;
  }
  return { instanceId };
}

export class Region {
  #madeIn = instanceId;

  async fetch() {
    return Response.json({ instance: this.#madeIn });
  }

  async alarm() {}
}

// Something is always left to wait for, so that the runtime does not see by itself that no answer will come.
const never = () => new Promise(() => setTimeout(() => {}, 600_000));

export async function fetch(request, env) {
  const path = new URL(request.url).pathname;
  if (path === "/healthz") return new Response("up");
  if (path === "/region") return env.REGION.getByName("one").fetch("http://region/");
  if (path === "/waiting") return Response.json({ waiting });
  if (path === "/wait") waiting += 1;
  if (path === "/trap") {
    // The module's tasks run as microtasks.
    queueMicrotask(() => {
      trapped = true;
      throw new WebAssembly.RuntimeError("unreachable");
    });
  }
  return never();
}

export async function scheduled() {}
