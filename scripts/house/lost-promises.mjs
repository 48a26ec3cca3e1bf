// A lost `await` inside a transaction is a lost redemption. Biome finds most of them, but does not see the
// promises that come out of a library's types: measured with Biome 2.6, `client.query(…)` of pg and
// `writeFile(…)` of node:fs/promises pass. The compiler sees them all, so it is asked here.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Statements in the source of packages/* that make a promise and drop it. What tests drop is Biome's alone to find. */
export function lostPromises(root) {
  const folders = readdirSync(path.join(root, "packages")).map((name) => path.join(root, "packages", name));
  const configs = folders.map((folder) => path.join(folder, "tsconfig.json")).filter(existsSync);
  return configs.flatMap((config) => inPackage(root, config));
}

function inPackage(root, config) {
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) =>
        fail(ts.flattenDiagnosticMessageText(messageText, "\n")),
    },
  );
  const files = new Set(fileNames);
  if (files.size === 0) fail(`${config} names no file: lost promises were not looked for.`);
  const program = ts.createProgram([...files], {
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
    declaration: false,
    rootDir: root,
    // The source of a neighbour instead of what an earlier build left in dist.
    paths: { "@guerdon/engine": [path.join(root, "packages/engine/src/index.ts")] },
  });
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => files.has(fileName))
    .flatMap((source) => inFile(root, source, checker));
}

function inFile(root, source, checker) {
  const problems = [];
  const visit = (node) => {
    if (isDropped(node, checker)) {
      problems.push({
        path: path.relative(root, source.fileName).replaceAll("\\", "/"),
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        message: "The promise is lost: await it, return it, or say `void` and give it a catch.",
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

function isDropped(node, checker) {
  if (ts.isExpressionStatement(node)) return makesPromise(node.expression, checker);
  // forEach takes no promise back, whatever its callback answers.
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const callback = node.arguments[0];
  if (node.expression.name.text !== "forEach" || !callback || !ts.isFunctionLike(callback)) return false;
  return callback.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
}

function makesPromise(expression, checker) {
  if (ts.isParenthesizedExpression(expression)) return makesPromise(expression.expression, checker);
  if (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) return false;
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) return false;
  if (ts.isCallExpression(expression) && isHandled(expression)) return false;
  const type = checker.getTypeAtLocation(expression);
  return (type.isUnion() ? type.types : [type]).some((part) => {
    const then = part.getProperty("then");
    return then !== undefined && checker.getTypeOfSymbolAtLocation(then, expression).getCallSignatures().length > 0;
  });
}

/** `….catch(handler)` and `….then(value, handler)` answer for the failure themselves. */
function isHandled(call) {
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : "";
  return (name === "catch" && call.arguments.length === 1) || (name === "then" && call.arguments.length === 2);
}

function fail(message) {
  throw new Error(message);
}
