// What stands before the tests: lint and compiler, two at a time. One after the other each has one core, and the other idles.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const at_once = 2;
// The longest first.
const checks = [
  "npm run types",
  "node scripts/check-style.mjs",
  "biome check --error-on-warnings .",
  "node scripts/check-arrows.mjs",
];

const root = fileURLToPath(new URL("..", import.meta.url));
// As npm has it, so that the file can be run by itself.
const PATH = join(root, "node_modules/.bin") + delimiter + process.env.PATH;

/** Runs one to its end and shows then what it said, so that two never speak at once. Answers whether it passed. */
const passes = (command) =>
  new Promise((resolve, fail) => {
    const said = [];
    const running = spawn(command, {
      cwd: root,
      env: { ...process.env, PATH },
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.stdout.on("data", (piece) => said.push(piece));
    running.stderr.on("data", (piece) => said.push(piece));
    running.on("error", fail);
    running.on("close", (code) => {
      process.stdout.write(`\n$ ${command}\n${Buffer.concat(said)}`);
      resolve(code === 0);
    });
  });

const waiting = [...checks];
const outcomes = [];
const worker = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) outcomes.push(await passes(next));
};
await Promise.all(Array.from({ length: at_once }, worker));
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
