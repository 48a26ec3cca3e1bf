// `npm run bench`: our operations beside their floors, in one run on one machine (architecture.md §8).
//
//   npm run bench                      every workload; writes bench/RESULTS.md
//   npm run bench -- validate          one workload; prints only, unless --write
//   npm run bench -- --full            the sizes of the targets: a million vouchers, and against a thousand
//   npm run bench -- --vouchers 1e6 --seconds 10 --rounds 5 --concurrency 64
//   npm run bench -- codes --write     the generation of a million codes alone (or --codes 2e5); replaces only its section of
//                                      bench/RESULTS.md
//   npm run bench -- decide qualify    the engine alone, without a server (or --promotions 1e4: the sizes up to that)
//   npm run bench -- edit              one promotion changed among 1e5 (or --promotions 1e4)
//   npm run bench -- qualification     what a cart could use, at 1e2, 1e3 and 1e4 promotions
//   npm run bench -- hostile           a quiet project beside one that does the worst that is allowed
//   npm run bench -- second_phase      publications, events and messages to webhooks
//   npm run bench -- import            a million vouchers from files of CSV (or --rows 1e5)
//   npm run bench -- loyalty           points that are earned, and that expire (--cards 1e6)
//   npm run bench -- --processes 2     as many processes behind one port; where the load and PostgreSQL have cores of their own
//   npm run bench -- --profile         profiles every workload, not only those that miss their target
//
// One JSON line a workload goes to standard output, everything else to standard error.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NotAsExpected } from "./as-expected.mjs";
import { decide } from "./engine/decide.mjs";
import { qualify } from "./engine/qualify.mjs";
import { machineNow } from "./machine.mjs";
import { jsonLineOf, pageOf } from "./report.mjs";
import { setStage } from "./stage.mjs";
import { workloads } from "./workloads.mjs";

/** Those of the engine alone. They tell each result when they have it, and answer all. */
const engine_workloads = { decide, qualify };

const results_file = fileURLToPath(new URL("RESULTS.md", import.meta.url));

function readOptions() {
  const number = (default_value) => ({ type: "string", default: String(default_value) });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      vouchers: number(1e5),
      codes: number(1e6),
      promotions: number(1e6),
      cards: number(1e5),
      rows: number(1e6),
      seconds: number(8),
      rounds: number(3),
      concurrency: number(64),
      processes: number(1),
      full: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const sizes = [
    "vouchers",
    "codes",
    "promotions",
    "cards",
    "rows",
    "seconds",
    "rounds",
    "concurrency",
    "processes",
  ].map((name) => [name, Number(values[name])]);
  for (const [name, size] of sizes) if (!(size > 0)) throw new NotAsExpected(`--${name} must be a number above 0`);
  // The engine's first, while no PostgreSQL runs beside them.
  const all = [...Object.keys(engine_workloads), ...Object.keys(workloads)];
  const unknown = positionals.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new NotAsExpected(`no workload '${unknown}'; there are: ${all.join(", ")}`);
  const names = all.filter((name) => positionals.length === 0 || positionals.includes(name));
  return { ...values, ...Object.fromEntries(sizes), names, write: values.write || positionals.length === 0 };
}

async function main() {
  const options = readOptions();
  const machine = machineNow();
  const results = [];
  const said = (result) => console.log(jsonLineOf(result));
  const [alone, on_stage] = [engine_workloads, workloads].map((of) => options.names.filter((name) => name in of));
  for (const name of alone) results.push(...(await engine_workloads[name](options, said)));
  const database = on_stage.length > 0 ? await onStage(on_stage, options, results, said) : {};
  const written = options.write && existsSync(results_file) ? readFileSync(results_file, "utf8") : "";
  const page = pageOf(results, { ...machine, ...database }, options, written);
  if (options.write) writeFileSync(results_file, page);
  else console.error(page);
}

async function onStage(names, options, results, said) {
  const stage = await setStage(options);
  try {
    for (const name of names) {
      const result = await workloads[name](stage, options);
      results.push(result);
      said(result);
    }
    return await stage.database();
  } finally {
    await stage.clear();
  }
}

// Without an exit of our own, whatever the library holds open would keep an interrupted run alive.
await main().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof NotAsExpected ? `bench: ${error.message}` : error);
    process.exit(1);
  },
);
