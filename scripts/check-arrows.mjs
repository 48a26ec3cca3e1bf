// Checks the arrows of .dependency-cruiser.cjs. A check that reads nothing must fail:
// it counts the files itself and compares. (With a compiler it does not know, dependency-cruiser
// reads no TypeScript at all and is content.)
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";
import { filesIn } from "./house/files.mjs";

const house = fileURLToPath(new URL("..", import.meta.url));
const { forbidden, options } = createRequire(import.meta.url)("../.dependency-cruiser.cjs");

const sourceFile = /^packages\/[^/]+\/src\/.+\.tsx?$/;
const testFile = /\.(test|fixtures)\.tsx?$/;
const featureOf = /^packages\/server\/src\/features\/((?:loyalties|management)\/[^/]+|[^/]+)\//;

/** Reads the packages under `root` and answers what breaks an arrow, a message each. */
export async function arrowProblems(root = house) {
  const { output } = await cruise(
    ["packages"],
    { ...options, baseDir: root, validate: true, ruleSet: { forbidden } },
    // The source, not what an earlier build left in dist.
    { alias: { "@guerdon/engine": path.join(root, "packages/engine/src/index.ts") } },
  );
  const modules = output.modules;
  return {
    read: modules.filter(({ source }) => sourceFile.test(source)).length,
    problems: [...unread(root, modules), ...output.summary.violations.map(messageOf), ...bothWays(modules)],
  };
}

/** Every source file must have been read, and a folder full of them must not count as none. */
export function unread(root, modules) {
  const importsRead = new Map(modules.map(({ source, dependencies }) => [source, dependencies.length]));
  const files = filesIn(root, "packages").filter((file) => sourceFile.test(file));
  if (files.length === 0)
    return ["packages: no source file found. The arrows were not checked: run it from a checkout."];
  const hasImports = (file) =>
    /^(import|export)\b[^;=()]*\bfrom\s+["']/m.test(readFileSync(path.join(root, file), "utf8"));
  return files
    .filter((file) => !importsRead.has(file) || (importsRead.get(file) === 0 && hasImports(file)))
    .map(
      (file) =>
        `${file}: was not read, so its arrows were not checked. See that dependency-cruiser knows the compiler and the file's extension.`,
    );
}

/** Two features that know each other through their doors make no cycle of files, but still one lump. */
export function bothWays(modules) {
  const firstImport = new Map();
  for (const { source, dependencies } of modules) {
    const from = featureOf.exec(source)?.[1];
    if (!from || testFile.test(source)) continue;
    for (const { resolved } of dependencies) {
      const to = featureOf.exec(resolved)?.[1];
      if (to && to !== from && !firstImport.has(`${from} → ${to}`))
        firstImport.set(`${from} → ${to}`, { source, from, to });
    }
  }
  return [...firstImport.values()]
    .filter(({ from, to }) => from < to && firstImport.has(`${to} → ${from}`))
    .map(({ source, from, to }) => {
      const back = firstImport.get(`${to} → ${from}`).source;
      return `${source} → features/${to}, and ${back} → features/${from} (one-way-between-features)\n  One way only: what must flow back goes as an event, or moves to deciding/.`;
    });
}

function messageOf({ from, to, rule, cycle }) {
  const { comment } = forbidden.find(({ name }) => name === rule.name);
  const way = cycle ? [from, ...cycle.map(({ name }) => name)].join(" → ") : `${from} → ${to}`;
  return `${way} (${rule.name})\n  ${comment}`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { read, problems } = await arrowProblems();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`\narrows: ${problems.length} broken (CONTRIBUTING.md, "Arrows").`);
    process.exitCode = 1;
  } else console.log(`arrows: ${read} files, none broken.`);
}
