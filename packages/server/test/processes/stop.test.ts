import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../src/platform/db/database.js";
import { sql } from "../../src/platform/db/sql.js";
import { createLog } from "../../src/platform/log.js";
import { by_the_clock } from "../harness/by-the-clock.js";
import {
  buildIfStale,
  cleanUpProcesses,
  clientOf,
  embeddedUrl,
  postgresPid,
  refusedStart,
  startProcess,
  stopProcess,
} from "../harness/process.js";
import { aUsedDataDir } from "../harness/templates.js";
import { holdKey, isAlive } from "./held.fixtures.js";

cleanUpProcesses();
beforeAll(buildIfStale);

/** A service with a database of its own, and a client with its credentials. */
async function aService() {
  const { data_dir, credentials } = await aUsedDataDir();
  const service = await startProcess({ env: { GUERDON_DATA_DIR: data_dir } });
  return { service, data_dir, credentials, api: clientOf(service.url, credentials) };
}

describe("a service that is told to stop", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "by %s answers what it has begun, takes nothing more, and stops its database",
    async (signal) => {
      const { service, api, data_dir, credentials } = await aService();
      const { body } = await api.post("/v1/customers", { source_id: "slow" }, 200);
      const pid = postgresPid(data_dir);
      const project_id = credentials.GUERDON_PROJECT_ID ?? "";
      const held = await holdKey(embeddedUrl(data_dir), { project_id, kind: "customer", id: body.id });
      const answer = api.put("/v1/customers/slow", { name: "Answered" });
      await held.untilSomebodyWaits();

      service.signal(signal);
      // A terminal and npm both pass Ctrl-C on.
      service.signal(signal);
      await vi.waitUntil(
        () =>
          fetch(`${service.url}/health`).then(
            () => false,
            () => true,
          ),
        { timeout: 5_000, interval: 20 },
      );
      await held.letGo();
      expect(await answer).toMatchObject({ status: 200, body: { name: "Answered" } });
      expect(await service.exit).toEqual({ code: 0, signal: null });
      // It gives up its note, which is what we wait for, before its process has gone.
      await vi.waitUntil(() => !isAlive(pid), { timeout: 5_000, interval: 20 });

      const again = await startProcess({ env: { GUERDON_DATA_DIR: data_dir } });
      expect((await clientOf(again.url, credentials).get("/v1/customers/slow", 200)).body.name).toBe("Answered");
    },
  );

  test("while clients keep idle connections open does not wait for them", by_the_clock, async () => {
    const { service, api } = await aService();
    await Promise.all(Array.from({ length: 10 }, () => api.get("/v1/customers", 200)));
    const begun = performance.now();
    expect((await stopProcess(service)).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test.each([
    ["asked nothing", ""],
    ["asked half a question", "GET /v1/customers HTTP/1.1\r\nhost: x\r\n"],
  ])("does not wait for a connection that has %s", by_the_clock, async (_, text) => {
    const { service } = await aService();
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    await once(socket, "connect");
    socket.write(text);
    // Answered on another connection, which was made later: so the first one is accepted by now.
    await fetch(`${service.url}/health`);
    const begun = performance.now();
    expect((await stopProcess(service)).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(5_000);
    socket.destroy();
  });
});

describe("a service that is killed", () => {
  test("has kept everything it answered, and starts again on the same folder at once", async () => {
    const { service, api, data_dir, credentials } = await aService();
    const answered: string[] = [];
    const requests = Array.from({ length: 300 }, async (_, i) => {
      const source_id = `customer ${i}`;
      await api.post("/v1/customers", { source_id }, 200).then(
        () => answered.push(source_id),
        () => undefined,
      );
      if (answered.length === 100) service.signal("SIGKILL");
    });
    await service.exit;
    const again = await startProcess({ env: { GUERDON_DATA_DIR: data_dir } });
    await Promise.all(requests);
    expect(answered.length).toBeGreaterThanOrEqual(100);
    expect(answered.length).toBeLessThan(300);
    const restarted = clientOf(again.url, credentials);
    const found = await Promise.all(answered.map((id) => restarted.get(`/v1/customers/${encodeURIComponent(id)}`)));
    expect(found.filter(({ status }) => status !== 200)).toEqual([]);
    // Its events are there as well: they were written in the same transaction.
    const db = openDatabase({
      url: embeddedUrl(data_dir),
      log: createLog("silent"),
      connections_max: 1,
      prepared: true,
    });
    const { customers, events } = await db.one<{ customers: number; events: number }>(sql`
      select (select count(*) from customers) as customers,
             (select count(*) from events where events.type = 'customer.created') as events`);
    await db.close();
    expect(events).toBe(customers);
    expect((await stopProcess(again)).code).toBe(0);
  });
});

describe("a second process on the same data folder", () => {
  test("is refused by name and leaves the first one alone", async () => {
    const { api, data_dir } = await aService();
    const { code, err } = await refusedStart({ env: { GUERDON_DATA_DIR: data_dir } });
    expect(code).toBe(1);
    expect(err).toBe(
      `guerdon: Another Guerdon process is running on the data folder ${data_dir}. Stop it first, or set GUERDON_DATA_DIR to another folder.`,
    );
    await api.get("/v1/customers", 200);
  });
});
