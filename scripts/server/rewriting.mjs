/** Modules that are ours to rewrite. */
const ours = /packages[\\/](server|engine)[\\/]src[\\/].*\.[jt]s$/;

/**
 * A plugin of the bundler's that writes some of our code otherwise, where Node takes long for what reads best (ADRs 102 and 109).
 * @param editsOf of one node of a module: what stands from one place to another instead
 * @param opening what a module that is edited begins with
 */
export const rewriting = ({ name, where, editsOf, opening = "" }) => ({
  name,
  transform: {
    filter: { id: ours, code: where },
    handler(code, id) {
      const edits = [];
      const visit = (node) => {
        if (node === null || typeof node !== "object") return;
        edits.push(...editsOf(node, code));
        for (const child of Object.values(node)) visit(child);
      };
      visit(this.parse(code, { lang: id.endsWith(".ts") ? "ts" : "js" }));
      return edits.length === 0 ? null : { code: opening + edited(code, edits) };
    },
  },
});

function edited(code, edits) {
  let made = "";
  let at = 0;
  for (const { from, to, text } of edits.sort((a, b) => a.from - b.from || a.to - b.to)) {
    made += code.slice(at, from) + text;
    at = to;
  }
  return made + code.slice(at);
}
