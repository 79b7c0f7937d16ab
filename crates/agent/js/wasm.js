// The core: the probe of all vantages, compiled to wasm.
import init, { Core } from './streamlag_agent.js';

/** From an ArrayBuffer where another script broke streaming, or the server names another content type. */
const compiled = async (url) => {
  try {
    return await WebAssembly.compileStreaming(fetch(url));
  } catch {
    const answer = await fetch(url);
    return WebAssembly.compile(await answer.arrayBuffer());
  }
};

export const load = async ({ wasm: url = new URL('streamlag_agent_bg.wasm', import.meta.url), app, release }, hand) => {
  await init({ module_or_path: await compiled(url) });
  const core = Core.start(app, release, (json) => hand(JSON.parse(json)));
  return {
    open: ({ at, wall, intent, hidden, url, base, target }, isLate) => core.open(
      at ?? undefined, wall, intent, hidden, url, base,
      target.id, target.side, target.model, target.keyAlias, target.dialect, isLate,
    ),
    observe: (element) => core.observe(element),
    clear: () => core.clear(),
    // It listens to the page's life itself.
    leave() {},
  };
};
