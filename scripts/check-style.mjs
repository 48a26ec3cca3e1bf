// Style that Biome cannot see. One function per check; each takes a parsed file and answers what is wrong
// in it: { path, line, message }, where the message says what to do instead.
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { filesIn, inSource, isTest, parse, problemAt, problemsOf } from "./house/files.mjs";
import { lostPromises } from "./house/lost-promises.mjs";
import { isSqlTemplate, noClockInSql, oneWriterATable, projectInEveryStatement, storesUnread } from "./house/sql.mjs";
import { noWeakMapOfRequests } from "./house/weak-maps.mjs";

export { lostPromises, noClockInSql, noWeakMapOfRequests, oneWriterATable, parse, projectInEveryStatement };

const house = fileURLToPath(new URL("..", import.meta.url));

export const file_lines_max = 300;
export const function_lines_max = 70;

/** `object.name` and `object["name"]` as a pair of strings. */
function accessOf(node) {
  const object = node.expression && ts.isIdentifier(node.expression) ? node.expression.text : undefined;
  if (object && ts.isPropertyAccessExpression(node)) return [object, node.name.text];
  if (object && ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return [object, node.argumentExpression.text];
  }
  return [];
}

const importsFrom = (node, modules) => ts.isImportDeclaration(node) && modules.test(node.moduleSpecifier.text);

// ---- The engine ----

const machineZone = /^(get|set)(FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds|TimezoneOffset)$/;

/** The same facts, request and instant give the same decision, on any machine and on any day. */
export function noClockNoDice(file) {
  if (!file.path.startsWith("packages/engine/src/") || isTest(file)) return [];
  const clock = "The engine knows no clock: take the instant as an argument.";
  const dice = "The engine throws no dice: take the random value, or a function that gives it, as an argument.";
  const zone = "This reads the machine's time zone: use the getUTC… method, or Temporal with the project's zone.";
  return problemsOf(file, (node) => {
    const [object, name] = accessOf(node);
    if (object === "Date" && name === "now") return clock;
    if (object === "Temporal" && name === "Now") return clock;
    if (object === "performance") return clock;
    if (object === "Math" && name === "random") return dice;
    if (object === "crypto" || importsFrom(node, /^(node:)?crypto$/)) return dice;
    if (importsFrom(node, /^(node:)?(perf_hooks|timers)(\/|$)/)) return clock;
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "Date") {
      const count = node.arguments?.length ?? 0;
      return ts.isCallExpression(node) || count === 0 ? clock : count > 1 ? zone : undefined;
    }
    return ts.isPropertyAccessExpression(node) && machineZone.test(node.name.text) ? zone : undefined;
  });
}

// ---- The environment ----

/** config.ts is the only reader: what can be configured stands on one page. */
export function environmentInConfigOnly(file) {
  if (!inSource(file) || isTest(file) || file.path === "packages/server/src/config.ts") return [];
  return problemsOf(file, (node) => {
    const reads =
      accessOf(node).join(".") === "process.env" ||
      (ts.isPropertyAccessExpression(node) && node.getText() === "globalThis.process.env") ||
      (ts.isVariableDeclaration(node) &&
        node.initializer?.getText() === "process" &&
        /\benv\b/.test(node.name.getText())) ||
      (importsFrom(node, /^(node:)?process$/) && /\benv\b/.test(node.importClause?.getText() ?? ""));
    return reads && "Read the environment in packages/server/src/config.ts and take the value as an argument.";
  });
}

// ---- Recording ----

/** Who opens a transaction to write without `change`, and why. */
const own_transactions = {
  "packages/server/src/features/projects/first-project.ts":
    "there is no project yet in whose name anything could change",
  "packages/server/src/books/histories/count-history.ts":
    "rows that count what has happened already: nothing happens, whoever asked",
  "packages/server/src/features/people/people.service.ts":
    "people and their sessions belong to no project, whose events nobody could be told of",
};

/** What belongs to a change of state (events, edits, rings) cannot be forgotten where one mechanism writes it. */
export function recordedByChange(file) {
  const is_ours = /^packages\/server\/src\/(features|deciding|books|catalogue|terms)\//.test(file.path);
  if (!is_ours || isTest(file) || file.path.endsWith(".fixtures.ts") || file.path in own_transactions) return [];
  return problemsOf(file, (node) => {
    const name = ts.isPropertyAccessExpression(node) ? node.name.text : "";
    if (name === "transaction" && ts.isCallExpression(node.parent) && node.parent.expression === node)
      return "Change state by change(context, cause, …) of recording/, which writes the events, edits and rings of it too.";
    const is_lock = ts.isIdentifier(node) && node.text === "lockKeys";
    return is_lock && "Take keys by underKeys, readUnderKeys or holding of recording/, which read behind the lock.";
  });
}

// ---- Refusals ----

/** What is refused, and in which words, stands on two pages: one of HTTP, one of our own subject. */
export function refusedByTheCatalogue(file) {
  const is_catalogue = /^packages\/server\/src\/(platform\/http\/problems|terms\/(refusals|refuse))\.ts$/.test(
    file.path,
  );
  if (!file.path.startsWith("packages/server/src/") || is_catalogue || isTest(file)) return [];
  return problemsOf(file, (node) => {
    const makes_one = ts.isNewExpression(node) && node.expression.getText() === "Problem";
    return makes_one && "Throw it by its name in terms/refusals.ts, the catalogue, with its key and its words there.";
  });
}

// ---- Length ----

const lineOf = (tree, position) => tree.getLineAndCharacterOfPosition(position).line;
const linesOf = (node, tree) => lineOf(tree, node.getEnd()) - lineOf(tree, node.getStart(tree)) + 1;
const isFunction = (node) => ts.isFunctionLike(node) && node.body !== undefined;

function nameOf(node) {
  return (
    node.name?.getText() ??
    node.parent.name?.getText() ??
    (ts.isConstructorDeclaration(node) ? "constructor" : "anonymous")
  );
}

/** A function's lines. A list of routes is a table, so in *.routes.ts a handler counts for itself alone. */
function functionLines(node, file) {
  if (!file.path.endsWith(".routes.ts")) return linesOf(node, file.tree);
  let lines = linesOf(node, file.tree);
  const subtract = (child) => {
    if (isFunction(child)) lines -= linesOf(child, file.tree) - 1;
    else ts.forEachChild(child, subtract);
  };
  ts.forEachChild(node, subtract);
  return lines;
}

/** What is too long, as ratchet keys: `path` and `path#function`. Cases of a test are a list: no limit on their functions. */
export function tooLong(file) {
  if (!inSource(file)) return [];
  const file_lines = file.text.split("\n").length - (file.text.endsWith("\n") ? 1 : 0);
  const whole = { key: file.path, path: file.path, line: 1, lines: file_lines, lines_max: file_lines_max };
  const functions = isTest(file) ? [] : file.nodes.filter(isFunction);
  const parts = functions.map((node) => ({
    key: `${file.path}#${nameOf(node)}`,
    path: file.path,
    line: lineOf(file.tree, node.getStart()) + 1,
    lines: functionLines(node, file),
    lines_max: function_lines_max,
  }));
  return [whole, ...parts].filter(({ lines, lines_max }) => lines > lines_max);
}

/** Nothing new is too long, and what the ratchet lists only shrinks. */
export function lengths(files, ratchet) {
  const long = files.flatMap(tooLong);
  const grown = long
    .filter(({ key, lines }) => lines > (ratchet[key] ?? 0))
    .map(({ key, path, line, lines, lines_max }) => {
      const [what, cut] =
        key === path ? ["The file", "by subject"] : [`Function ${key.split("#")[1]}`, "at a step that has a name"];
      const message =
        key in ratchet ? `grew from ${ratchet[key]} to ${lines} lines` : `has ${lines} lines, ${lines_max} at most`;
      return { path, line, message: `${what} ${message}: split it ${cut}.` };
    });
  const shrunk = Object.entries(ratchet).flatMap(([key, known]) => {
    const lines = Math.max(0, ...long.filter((one) => one.key === key).map((one) => one.lines));
    if (lines >= known) return [];
    const todo = lines === 0 ? `delete "${key}"` : `lower "${key}" to ${lines}`;
    return [{ path: "scripts/style-ratchet.json", line: 1, message: `It got shorter: ${todo}, so that it stays so.` }];
  });
  return [...grown, ...shrunk];
}

// ---- Words and casts ----

const isLiteral = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isJsxText(node);

/** Unfinished work is an issue, not a comment. In a string such a word may be a voucher code. */
export function noUnfinished(file) {
  const literals = file.nodes.filter((node) => isLiteral(node) && !(node.parent && isSqlTemplate(node.parent)));
  return [...file.text.matchAll(/\b(TODO|FIXME|XXX|HACK)\b/g)]
    .filter(({ index }) => !literals.some((literal) => literal.getStart() <= index && index < literal.getEnd()))
    .map(({ 0: word, index }) =>
      problemAt(file, index, `${word}: do it now, or write an issue and say here what holds today.`),
    );
}

/** A cast to any silences the compiler for everything that follows. */
export function noAnyCast(file) {
  return problemsOf(file, (node) => {
    const type = ts.isAsExpression(node) || ts.isTypeAssertionExpression(node) ? node.type.getText() : "";
    return /\bany\b/.test(type) && "Cast to the type it has, or to unknown and narrow it.";
  });
}

// ---- Tests ----

/** A test runs or is deleted. skipIf and runIf stay: they name their condition. */
export function noSkippedTest(file) {
  if (!/\.test\.tsx?$/.test(file.path)) return [];
  const isTestCall = (expression) => /^(test|it|describe|suite|bench)\b/.test(expression.getText());
  return problemsOf(file, (node) => {
    if (
      ts.isPropertyAccessExpression(node) &&
      /^(skip|only|todo|fails)$/.test(node.name.text) &&
      isTestCall(node.expression)
    ) {
      return `.${node.name.text}: mend the test or delete it; none runs alone, none waits.`;
    }
    if (!ts.isCallExpression(node)) return undefined;
    if (/^(context|ctx|task)\.skip$/.test(node.expression.getText()))
      return "A test that skips itself proves nothing: use runIf.";
    const options = isTestCall(node.expression) ? node.arguments.filter(ts.isObjectLiteralExpression) : [];
    const flag = options
      .flatMap(({ properties }) => properties)
      .find(({ name }) => /^(skip|only|todo|fails)$/.test(name?.getText() ?? ""));
    return flag && `{ ${flag.getText()} }: mend the test or delete it; none runs alone, none waits.`;
  });
}

// ---- Folders that can be seen at a glance ----

/** Past that a folder's inner floors want names. A feature's own folder may hold what its operations need. */
export const folder_files_max = 16;

export function crowdedFolders(files) {
  const folders = new Map();
  for (const { path: file } of files) {
    const folder = path.posix.dirname(file);
    if (/^packages\/server\/src(\/(?!features\/)|$)/.test(folder))
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders]
    .filter(([, held]) => held.length > folder_files_max)
    .map(([folder, held]) => ({
      path: folder,
      line: 1,
      message: `${held.length} files side by side, ${folder_files_max} at most: give its inner floors names.`,
    }));
}

// ---- All of it ----

export const checks = [
  noClockNoDice,
  noClockInSql,
  projectInEveryStatement,
  environmentInConfigOnly,
  noUnfinished,
  noAnyCast,
  noSkippedTest,
  recordedByChange,
  refusedByTheCatalogue,
  noWeakMapOfRequests,
];

/** Bad on purpose, or written by a generator. */
const not_written = /^packages\/(server\/test\/house\/|dashboard\/src\/api\/schema\.d\.ts$)/;

/** Reads what is ours under `root`. */
export function readFiles(root = house) {
  return ["packages", "scripts", "bench"]
    .flatMap((folder) => filesIn(root, folder))
    .filter((file) => /\.([cm]?[jt]sx?|sql)$/.test(file) && !not_written.test(file))
    .map((file) => parse(file, readFileSync(path.join(root, file), "utf8")));
}

export function styleProblems(files, ratchet) {
  const unread = ["packages/engine/src/", "packages/server/src/"]
    .filter((folder) => !files.some(({ path }) => path.startsWith(folder)))
    .map((folder) => ({ path: folder, line: 1, message: "No file was read here: run the check from a checkout." }));
  return [
    ...unread,
    ...files.flatMap((file) => checks.flatMap((check) => check(file))),
    ...lengths(files, ratchet),
    ...storesUnread(files),
    ...oneWriterATable(files),
    ...crowdedFolders(files),
  ];
}

function main() {
  const files = readFiles();
  const ratchet = JSON.parse(readFileSync(path.join(house, "scripts/style-ratchet.json"), "utf8"));
  const problems = [...styleProblems(files, ratchet), ...lostPromises(house)];
  for (const { path, line, message } of problems) console.error(`${path}:${line}  ${message}`);
  if (problems.length > 0) {
    console.error(`\nstyle: ${problems.length} to mend (CONTRIBUTING.md, "The checks").`);
    process.exitCode = 1;
  } else console.log(`style: ${files.length} files, nothing to mend.`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) main();
