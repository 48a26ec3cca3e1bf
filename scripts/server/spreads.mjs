// V8 clones what an object literal begins with, and where properties follow makes a new shape for each of them, each time: 2 µs
// a property in Node 20. A literal that begins with anything else is made of the same shapes every time. So in what is shipped such
// a literal begins with the prototype that it has anyway, and the sources say what they say (ADR 102).

const ours = /packages[\\/](server|engine)[\\/]src[\\/].*\.[jt]s$/;

/** For the bundler: `{ ...row, id }` of ours becomes `{ __proto__: Object.prototype, ...row, id }`. */
export const quickSpreads = {
  name: "quick-spreads",
  transform: {
    filter: { id: ours, code: /\{\s*\.\.\./ },
    handler(code, id) {
      const places = spreadsThatBegin(this.parse(code, { lang: id.endsWith(".ts") ? "ts" : "js" }));
      const pieces = places.map((place, i) => code.slice(places[i - 1] ?? 0, place));
      return { code: [...pieces, code.slice(places.at(-1) ?? 0)].join("__proto__: Object.prototype, ") };
    },
  },
};

/** Where object literals begin with a spread and go on, in the order of the text. */
function spreadsThatBegin(tree) {
  const places = [];
  const visit = (node) => {
    if (node === null || typeof node !== "object") return;
    const [first, second] = node.type === "ObjectExpression" ? node.properties : [];
    if (second && first.type === "SpreadElement") places.push(first.start);
    for (const child of Object.values(node)) visit(child);
  };
  visit(tree);
  return places.sort((a, b) => a - b);
}
