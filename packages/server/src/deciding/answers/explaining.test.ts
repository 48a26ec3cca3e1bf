import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { openCatalogues } from "../../composition.js";
import type { Call } from "../../features/projects/index.js";
import { findProject } from "../../features/projects/index.js";
import type { ExplainedRefusal } from "../../features/validation-log/index.js";
import { readVersion } from "../../recording/index.js";
import {
  createExplaining,
  createGatherer,
  type DecidingRequest,
  decideRequest,
  singleRequest,
  trackingOf,
} from "../index.js";

const { context, project, clock, anotherProject } = await startService();
const gather = createGatherer(context.db, openCatalogues(context.metrics));

test("refusals that find no room are left out: eight of a project wait, and others have room beside them", async () => {
  const rows: ExplainedRefusal[] = [];
  const explaining = createExplaining(context, { add: (row) => void rows.push(row), flush: async () => {} });
  const rowsOf = (id: string) => rows.filter(({ project_id }) => project_id === id);
  const refuse = async (request: DecidingRequest, times: number) =>
    gather(request, async (shared) => {
      const decision = await decideRequest(context.turns, shared, request);
      for (let i = 0; i < times; i += 1) explaining.add(shared, request, decision, "validation");
    });
  const other = await anotherProject();
  const [asked, asked_by_other] = [await refusedRequest(project), await refusedRequest(other)];
  await refuse(asked, 40);
  await refuse(asked_by_other, 40);
  await explaining.flush();
  // The first of all is taken up at once.
  expect(rowsOf(project.id).length).toBeGreaterThanOrEqual(9);
  expect(rowsOf(project.id).length).toBeLessThan(20);
  expect(rowsOf(other.id).length).toBeGreaterThanOrEqual(8);
  expect(rows[0]).toMatchObject({ key: "voucher_disabled", explanation: { summary: ["it is switched off"] } });
  // And there is room again.
  rows.length = 0;
  await refuse(asked, 1);
  await explaining.flush();
  expect(rows).toHaveLength(1);
});

/** A request for a voucher of the project that is switched off. */
async function refusedRequest({ id, api }: Pick<typeof project, "id" | "api">): Promise<DecidingRequest> {
  await api.post("/v1/vouchers/OFF", { discount: { type: "AMOUNT", amount_off: 100 }, active: false }, 200);
  const stored = await findProject(context.db, id);
  const call = {
    ...{ project: stored, project_id: id, instant: clock.now(), request_id: "v-1", label: null, keyed: null },
    ...{ version: await readVersion(context.db, id), metadata_schemas: new Map() },
    ...{ caller: { kind: "service" }, event_source: { channel: "API" } },
  } as unknown as Call;
  return singleRequest(call, { object: "voucher", id: "OFF" }, {}, trackingOf(context.seal, id));
}
