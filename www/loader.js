// Starts the page, or says why it does not start.

const sentences = {
  unsupported: "This browser cannot run WebAssembly, which this page measures with. Update it, or allow WebAssembly for this site.",
  refused: "WebAssembly was refused here, most often by a Content-Security-Policy without 'wasm-unsafe-eval' or by a browser extension.",
  missing: "The page's program did not load. Check that the collector still runs, then reload.",
};

function say(sentence, error) {
  console.error(error);
  const loader = document.getElementById("loader");
  if (!loader) return;
  loader.setAttribute("role", "alert");
  const words = document.createElement("p");
  words.textContent = sentence;
  const reason = document.createElement("p");
  reason.className = "quiet";
  reason.textContent = String(error);
  loader.replaceChildren(words, reason);
}

async function start() {
  if (typeof WebAssembly !== "object") {
    return say(sentences.unsupported, "no WebAssembly");
  }
  try {
    const page = await import("./streamlag_web.js");
    const module_or_path = new URL("streamlag_web_bg.wasm", import.meta.url);
    await page.default({ module_or_path });
  } catch (error) {
    say(error instanceof WebAssembly.CompileError ? sentences.refused : sentences.missing, error);
  }
}

start();
