// Finding, parsing and pointing at our files: what the checks share.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const not_ours = ["node_modules", "bundle", "dist", "dist-new", "dist-test", "dist-types", "data"];

/** Every file below `folder`, relative to `root`, with slashes. */
export function filesIn(root, folder) {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return not_ours.includes(entry.name) ? [] : filesIn(root, file);
    return [file];
  });
}

export const inSource = ({ path }) => /^packages\/[^/]+\/src\//.test(path);
export const isTest = ({ path }) => /\.(test|fixtures)\.tsx?$|^packages\/[^/]+\/test\//.test(path);

/** Parses once for all checks. `path` is relative to the repository, with slashes. */
export function parse(path, text) {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const nodes = [];
  const collect = (node) => {
    nodes.push(node);
    ts.forEachChild(node, collect);
  };
  if (/\.[cm]?[jt]sx?$/.test(path)) collect(tree);
  return { path, text, tree, nodes };
}

export function problemAt(file, position, message) {
  return { path: file.path, line: file.tree.getLineAndCharacterOfPosition(position).line + 1, message };
}

/** The problem of every node for which `messageOf` has a message. */
export function problemsOf(file, messageOf) {
  return file.nodes.flatMap((node) => {
    const message = messageOf(node);
    return message ? [problemAt(file, node.getStart(file.tree), message)] : [];
  });
}
