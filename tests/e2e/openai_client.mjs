// The official client: node openai_client.mjs <its module> <base URL> <model>. Prints what it understood as JSON.
import { pathToFileURL } from "node:url";

const [module, baseURL, model] = process.argv.slice(2);
const { default: OpenAI } = await import(pathToFileURL(module));
const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });

try {
  const stream = await client.chat.completions.create({
    model,
    messages: [{ role: "user", content: "hello" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const seen = { text: "", usage: null, finish: null };
  for await (const chunk of stream) {
    seen.text += chunk.choices[0]?.delta?.content ?? "";
    seen.finish = chunk.choices[0]?.finish_reason ?? seen.finish;
    seen.usage = chunk.usage ?? seen.usage;
  }
  console.log(JSON.stringify(seen));
} catch (error) {
  const retry_after = error.headers?.get("retry-after") ?? null;
  console.log(JSON.stringify({ error: error.constructor.name, status: error.status, retry_after }));
}
