// Runs a measurement of the engine in a process of its own: memory, compiled code and rubbish of one do not weigh on the next.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NotAsExpected } from "../as-expected.mjs";
import { summaryOf } from "../profile.mjs";

/** More than any measurement needs; the default is a share of the machine's memory. */
const heap_max_mb = 12_288;
const this_file = fileURLToPath(import.meta.url);

/** Answers what the exported function `measure` of a module answers when it is given the options. */
export const measuredApart = (module, options) => answerOf([], module, options);

/** The same while the CPU is profiled: where the time goes between the two ages of the process that it answers. */
export async function profiledApart(module, options) {
  const folder = mkdtempSync(join(tmpdir(), "guerdon-bench-profile-"));
  try {
    const answer = await answerOf(["--cpu-prof", `--cpu-prof-dir=${folder}`], module, options);
    return summaryOf(folder, answer);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answerOf(flags, module, options) {
  const command = [...flags, "--expose-gc", `--max-old-space-size=${heap_max_mb}`, this_file, module];
  const child = spawn(process.execPath, [...command, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (piece) => {
    printed += piece;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`the measurement of ${module} ended with ${code}`);
  const { answer, wrong } = JSON.parse(printed);
  if (wrong) throw new NotAsExpected(wrong);
  return answer;
}

/** What the process that was started above does. */
async function measureHere([module, options]) {
  const { measure } = await import(new URL(module, import.meta.url));
  try {
    return { answer: await measure(JSON.parse(options)) };
  } catch (error) {
    if (error instanceof NotAsExpected) return { wrong: error.message };
    throw error;
  }
}

if (process.argv[1] === this_file) console.log(JSON.stringify(await measureHere(process.argv.slice(2))));
