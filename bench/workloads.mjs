// What is measured, what the answers must be, and what the database must hold afterwards.
import { NotAsExpected } from "./as-expected.mjs";
import { catalogue } from "./catalogue.mjs";
import { codes } from "./codes.mjs";
import { edit, vouchers_beside_edits } from "./edit.mjs";
import { hostile } from "./hostile.mjs";
import { imports } from "./import.mjs";
import { listings } from "./listings.mjs";
import { askOnce, inTurn, load } from "./load.mjs";
import { loyalty } from "./loyalty.mjs";
import { summaryOf } from "./profile.mjs";
import { qualification } from "./qualification.mjs";
import { resultOf } from "./report.mjs";
import { floorOf, picker, redemption, stack_of, stackRedemption, validation } from "./requests.mjs";
import { secondPhase } from "./second-phase.mjs";
import { project_id, settle, statementsOf } from "./stage.mjs";
import { countsOf, limitBudget, makeFloor, stock, stockOne } from "./stock.mjs";

/** Measures one operation beside its floor; `held` compares what was answered with what is stored. */
async function beside(stage, { name, n, target, path, statement, workloadOf, prepared, held, options }) {
  console.error(`${name}, n = ${n}`);
  const service = await stage.startService();
  await makeFloor(stage.db);
  await prepare(stage, service, n);
  await prepared?.(service.url);
  const url = service.url + path;
  const bytes = Buffer.byteLength(await askOnce(url, workloadOf("sample").request(0).body));
  const floor = await stage.startFloor(statement, bytes);
  const before = await countsOf(stage.db);
  const sides = [
    { name: "floor", process_: floor, url: floor.url, workload: floorOf(workloadOf("floor")) },
    { name: "service", process_: service, url, workload: workloadOf("service") },
  ];
  await inTurn(stage, sides, options);
  const [beneath, ours] = sides;
  assertHeld(before, await countsOf(stage.db), ours, beneath, statement);
  await held?.(stage, service, options);
  const result = resultOf({ name, n, target, options, ours, floor: beneath, rss_mb: service.rss_mb() });
  await Promise.all([stage.stop(service), stage.stop(floor)]);
  const profile =
    options.profile || result.met === false
      ? await profiled(stage, { path, workload: workloadOf("profile"), rps: result.rps })
      : undefined;
  return { ...result, profile };
}

async function prepare({ db }, service, n) {
  await stock(db, service.url, n);
  await settle(db);
}

/** What grows with each redemption that a statement's floor, and ours beside it, grants, and by how much. */
const alone = { redemptions: 1, orders: 1, customers: 1, used: 1, counted: 1, told: 1 };
const grows = {
  redeem: { ours: alone, floor: { floor_redemptions: 1, floor_used: 1 } },
  rows: { ours: alone, floor: { floor_redemptions_full: 1, floor_orders: 1, floor_told: 1, floor_used: 1 } },
  stack: {
    ours: { redemptions: 1, orders: 1, customers: 1, children: stack_of, used: stack_of, counted: stack_of },
    floor: { floor_redemptions: stack_of, floor_used: stack_of },
  },
};

function assertHeld(before, after, ours, floor, statement) {
  const grown = (field) => after[field] - before[field];
  if (grown("deadlocks") > 0) throw new NotAsExpected(`${grown("deadlocks")} deadlocks`);
  const of_statement = grows[statement] ?? { ours: {}, floor: {} };
  for (const [who, { granted }] of Object.entries({ ours, floor })) {
    for (const [field, each] of Object.entries(of_statement[who])) {
      if (grown(field) !== granted * each)
        throw new NotAsExpected(`${granted} of ${who} were granted, but '${field}' grew by ${grown(field)}`);
    }
  }
}

/** The same load once more on a service that is profiled: what a missed target is lost on. */
async function profiled(stage, { path, workload, rps }) {
  const profile_dir = await stage.newFolder();
  const service = await stage.startService({ profile_dir });
  const url = service.url + path;
  const amount = Math.max(workload.concurrency, Math.round(rps * 5));
  await load(url, { ...workload, amount });
  const from_ms = service.age_ms();
  await load(url, { ...workload, amount });
  const to_ms = service.age_ms();
  await settle(stage.db);
  // Apart from the profile, since counting costs PostgreSQL a little.
  const statements = await statementsOf(stage.db, () => load(url, { ...workload, amount }));
  await settle(stage.db);
  await stage.stop(service);
  return {
    ...summaryOf(profile_dir, { from_ms, to_ms }),
    statements: statements.map((one) => ({ ...one, per_request: one.calls / amount })),
  };
}

async function validate(stage, options) {
  const at = (n) =>
    beside(stage, {
      name: "validate",
      n,
      target: 0.7,
      path: "/v1/validations",
      statement: "select",
      workloadOf: () => validation(n, options.concurrency),
      options,
    });
  if (!options.full) return at(options.vouchers);
  const few = await at(1e3);
  const many = await at(1e6);
  return { ...many, few: { n: 1e3, rps: few.rps, cpu_us: few.cpu_us, share: many.rps / few.rps } };
}

/**
 * Codes all over the stock are redeemed, beside the floor of the statement.
 * @param differently what else is said of the workload: other requests, other clients
 */
const redeeming =
  (name, statement, target, differently = {}) =>
  (stage, asked) => {
    const { requests = redemption, concurrency = asked.concurrency, n = asked.vouchers, ...more } = differently;
    return beside(stage, {
      name,
      n,
      target,
      path: "/v1/redemptions",
      statement,
      workloadOf: (who) => requests(picker(n), `${name}-${who}`, concurrency),
      options: { ...asked, concurrency },
      ...more,
    });
  };

/** A voucher that may be redeemed a few hundred times, asked for far more often: exactly so many are granted. */
async function neverOneOver({ db }, service, { concurrency }) {
  const limit = 500;
  const code = await stockOne(db, limit);
  const { granted } = await load(`${service.url}/v1/redemptions`, {
    ...redemption(() => code, "limit", concurrency),
    amount: limit * 3,
    refused: (status, body) => status === 400 && JSON.parse(body).key === "quantity_exceeded",
  });
  const { rows } = await db.query(
    `select voucher_usage.redeemed_quantity::int as used,
            (select count(*)::int from redemptions
              where redemptions.project_id = $1 and redemptions.voucher_id = vouchers.id and redemptions.result = 'SUCCESS') as stored
       from vouchers join voucher_usage using (project_id)
      where vouchers.project_id = $1 and vouchers.code = $2 and voucher_usage.voucher_id = vouchers.id`,
    [project_id, code],
  );
  const said = [granted, rows[0]?.used, rows[0]?.stored];
  if (said.some((count) => count !== limit)) throw new NotAsExpected(`a limit of ${limit} gave ${said.join(", ")}`);
}

const editWorkload = (stage, options) => edit(stage, options, validation(vouchers_beside_edits, options.concurrency));

const hostileWorkload = (stage, options) => hostile(stage, options, validation(vouchers_beside_edits, 1));

const importWorkload = (stage, options) => imports(stage, options, validation(vouchers_beside_edits, 1));

/** Those that need PostgreSQL and a service. Each answers its result. */
export const workloads = {
  validate,
  redeem_spread: redeeming("redeem_spread", "redeem", 0.5),
  redeem_hot: redeeming("redeem_hot", "redeem", 1, { n: 1, held: neverOneOver }),
  // Beside a floor that writes the same facts, unbatched: what recording itself costs.
  redeem_rows: redeeming("redeem_rows", "rows", 0.7),
  // One client that waits for each answer: the ratio is that of the floor's time to ours.
  redeem_alone: redeeming("redeem_alone", "redeem", 0.25, { concurrency: 1 }),
  redeem_stack: redeeming("redeem_stack", "stack", undefined, { requests: stackRedemption, prepared: limitBudget }),
  codes,
  import: importWorkload,
  catalogue,
  edit: editWorkload,
  listings,
  qualification,
  hostile: hostileWorkload,
  second_phase: secondPhase,
  loyalty,
};
