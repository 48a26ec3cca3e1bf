/** What is met with a double around it: modules of the build, and what they export that the double replaces. */
const doubled = {
  "platform/db/locks.js": ["lockKeys", "lockNamed"],
  "recording/change.js": ["change", "changeTogether"],
  "deciding/under-keys.js": ["changeOnFacts"],
  "books/counters.store.js": ["readCounts"],
};

const dist = new URL("../../../../dist/", import.meta.url).href;
const doubles = new URL("./doubles.mjs", import.meta.url).href;
const mark = "?observed";

/** The doubles themselves meet the original. */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const is_doubled = found.url.startsWith(dist) && found.url.slice(dist.length) in doubled;
  if (!is_doubled || context.parentURL === doubles || context.parentURL?.endsWith(mark)) return found;
  return { ...found, url: found.url + mark };
}

export async function load(url, context, next) {
  if (!url.endsWith(mark)) return next(url, context);
  const original = url.slice(0, -mark.length);
  const names = doubled[original.slice(dist.length)].join(", ");
  const source = `export * from ${JSON.stringify(original)};\nexport { ${names} } from ${JSON.stringify(doubles)};\n`;
  return { format: "module", source, shortCircuit: true };
}
