// Which requests a patched `fetch` measures: by an allow-list of addresses, then by what is answered.

/** Content types of streamed answers; JSON, since an answer may come as one whole. */
const TYPES = /^(text\/event-stream|application\/(x-)?(nd)?json|application\/(jsonl|stream\+json|vnd\.amazon\.eventstream))\b/i;

/** A failure counts whatever its type is: gateways answer with web pages. */
export const isMeasured = (response) => response.status >= 400 || TYPES.test(response.headers.get('content-type') ?? '');

/** One entry of the list as a test of a URL; `undefined` where it is none. */
const test = (pattern, base) => {
  if (typeof pattern == 'function') return pattern;
  if (pattern instanceof RegExp) return (url) => url.href.search(pattern) >= 0;
  if (typeof pattern != 'string' || !pattern) return undefined;
  const start = new URL(pattern, base).href;
  return (url) => url.href.startsWith(start);
};

/** Gives for a URL the first entry that matches, as `{ target }`; `null` where the list is not usable. */
export const matcher = (match, base) => {
  const entries = [match].flat().map((entry) => {
    const { url, target } = entry?.url ? entry : { url: entry };
    return { matches: test(url, base), target };
  });
  if (!entries.every((entry) => entry.matches)) return null;
  return (url) => entries.find((entry) => entry.matches(url));
};
