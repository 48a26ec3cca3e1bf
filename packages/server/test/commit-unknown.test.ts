import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, inject, test } from "vitest";
import { openDatabase } from "../src/platform/db/database.js";
import { Unavailable } from "../src/platform/db/database-errors.js";
import { sql } from "../src/platform/db/sql.js";
import { createLog } from "../src/platform/log.js";
import { type Cut, startProxy } from "./harness/proxy.js";
import { startService } from "./harness/service.js";

const proxy = await startProxy(inject("database_url"));
const log = createLog("silent");
const direct = openDatabase({ url: inject("database_url"), log, connections_max: 2, prepared: true });
const db = openDatabase({ url: proxy.url, log, connections_max: 4, prepared: true, asking_ms_max: 1_500 });
const { api, project } = await startService({ database_url: proxy.url });

await direct.run(sql`create table if not exists cut_probes (name text not null)`);
afterAll(async () => {
  await direct.run(sql`drop table cut_probes`);
  await Promise.all([db.close(), direct.close()]);
});

const long = process.env.GUERDON_TEST_LONG === "1";
let probes = 0;

/** A transaction that writes one row; answers how often its work ran. */
function aProbe() {
  probes += 1;
  const name = `probe ${probes}`;
  let ran = 0;
  const record = () =>
    db.transaction(async (tx) => {
      ran += 1;
      await tx.run(sql`/* as every recording begins */ select pg_advisory_xact_lock(1)`);
      await tx.run(sql`insert into cut_probes (name) values (${name})`);
      await tx.run(sql`/* the work goes on */ select 1 as one`);
      return name;
    });
  const recorded = async () =>
    (await direct.one<{ count: number }>(sql`select count(*) as count from cut_probes where name = ${name}`)).count;
  return { name, record, recorded, ran: () => ran };
}

describe("a transaction whose connection breaks", () => {
  test.each<[string, string, Cut, number]>([
    ["after COMMIT was done: its answer is given, and nothing runs again", "commit work", "after", 1],
    ["before COMMIT arrived: the work runs again", "commit work", "before", 2],
    ["before a COMMIT that arrives when its token is void: only the second one counts", "commit work", "late", 2],
    ["in the middle of the work: it runs again", "the work goes on", "before", 2],
    ["in the middle of the work, on the way back: it runs again", "the work goes on", "after", 2],
    ["as it begins: the work, which went out with it, runs again", "begin isolation", "after", 2],
  ])("%s", async (_, text, cut, runs) => {
    const probe = aProbe();
    const is_cut = proxy.cutAt(text, cut);
    expect(await probe.record()).toBe(probe.name);
    await is_cut;
    expect({ recorded: await probe.recorded(), runs: probe.ran() }).toEqual({ recorded: 1, runs });
  });

  test.each<Cut>(["before", "after"])("at its ROLLBACK (%s) leaves nothing, and the next one is whole", async (cut) => {
    const probe = aProbe();
    const is_cut = proxy.cutAt("rollback", cut);
    const failing = db.transaction(async (tx) => {
      await tx.run(sql`insert into cut_probes (name) values (${probe.name})`);
      throw new Error("it fails");
    });
    await expect(failing).rejects.toThrow("it fails");
    await is_cut;
    expect(await probe.recorded()).toBe(0);
    await probe.record();
    expect(await probe.recorded()).toBe(1);
  });

  test("right behind COMMIT is recorded once, whichever of the two was quicker", async () => {
    for (let i = 0; i < (long ? 500 : 20); i += 1) {
      const probe = aProbe();
      const is_cut = proxy.cutAt("commit work", "behind");
      await probe.record();
      await is_cut;
      expect(await probe.recorded()).toBe(1);
    }
  });

  test.each<[Cut, number]>([
    ["after", 1],
    ["before", 0],
  ])(
    "%s COMMIT, with the database away afterwards: the caller hears that it is not known, and nothing runs again",
    async (cut, recorded) => {
      const probe = aProbe();
      const is_cut = proxy.cutAt("commit work", cut).then(() => proxy.reachable(false));
      await expect(probe.record()).rejects.toThrow(Unavailable);
      await is_cut;
      proxy.reachable(true);
      expect({ recorded: await probe.recorded(), runs: probe.ran() }).toEqual({ recorded, runs: 1 });
    },
  );

  test("after COMMIT, with the database away for a while: its answer is given when the database is back", async () => {
    const probe = aProbe();
    const is_cut = proxy.cutAt("commit work", "after").then(() => proxy.reachable(false));
    const answer = probe.record();
    await is_cut;
    await pause(700);
    proxy.reachable(true);
    expect(await answer).toBe(probe.name);
    expect({ recorded: await probe.recorded(), runs: probe.ran() }).toEqual({ recorded: 1, runs: 1 });
  });

  test("does not disturb the transactions beside it", async () => {
    const all = Array.from({ length: 12 }, aProbe);
    const is_cut = proxy.cutAt("commit work", "after");
    await Promise.all(all.map((probe) => probe.record()));
    await is_cut;
    expect(await Promise.all(all.map((probe) => probe.recorded()))).toEqual(all.map(() => 1));
  });
});

test("a transaction whose BEGIN is refused writes nothing, though its work went out with it", async () => {
  const probe = aProbe();
  const is_refused = proxy.cutAt("begin isolation", "refused");
  await expect(probe.record()).rejects.toThrow("does not exist");
  await is_refused;
  expect({ recorded: await probe.recorded(), runs: probe.ran() }).toEqual({ recorded: 0, runs: 1 });
});

describe("a request whose connection breaks", () => {
  const customersNamed = async (name: string) => {
    const { customers, events } = await direct.one<{ customers: number; events: number }>(sql`
      select (select count(*) from customers where customers.project_id = ${project.id} and customers.name = ${name}) as customers,
             (select count(*) from events where events.project_id = ${project.id}
                 and events.data -> 'customer' ->> 'name' = ${name}) as events`);
    return { customers, events };
  };

  test.each<[string, Cut]>([
    ["commit work", "after"],
    ["commit work", "behind"],
    ["commit work", "before"],
    ["commit work", "late"],
    ["pg_advisory_xact_lock", "before"],
    ["insert into events", "after"],
  ])("at %s (%s) makes one customer and one event, and is answered", async (text, cut) => {
    const name = `${text} ${cut}`;
    const is_cut = proxy.cutAt(text, cut);
    const { body } = await api.post("/v1/customers", { source_id: name, name }, 200);
    await is_cut;
    expect(await customersNamed(name)).toEqual({ customers: 1, events: 1 });
    expect((await api.get(`/v1/customers/${body.id}`, 200)).body.name).toBe(name);
  });

  test("for good is told 503 and when to come again", async () => {
    const is_cut = proxy.cutAt("commit work", "before").then(() => proxy.reachable(false));
    const { body, headers } = await api.post("/v1/customers", { name: "away" }, 503);
    await is_cut;
    proxy.reachable(true);
    expect(body).toMatchObject({ code: 503, key: "service_unavailable" });
    expect(headers.get("retry-after")).toBe("1");
    expect(await customersNamed("away")).toEqual({ customers: 0, events: 0 });
    await api.post("/v1/customers", { name: "away" }, 200);
  });
});
