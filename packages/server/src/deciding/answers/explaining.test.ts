import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { openCatalogues } from "../../composition.js";
import type { Call } from "../../features/projects/index.js";
import { findProject } from "../../features/projects/index.js";
import type { ExplainedRefusal } from "../../features/validation-log/index.js";
import { readVersion } from "../../recording/index.js";
import { createExplaining, createGatherer, decideRequest, singleRequest, trackingOf } from "../index.js";

const { context, project, api, clock } = await startService();
const gather = createGatherer(context.db, openCatalogues(context.metrics));

test("refusals that find no room are left out: sixteen wait, whoever asks", async () => {
  const discount = { type: "AMOUNT", amount_off: 100 };
  await api.post("/v1/vouchers/OFF", { discount, active: false }, 200);
  const stored = await findProject(context.db, project.id);
  const call = {
    ...{ project: stored, project_id: project.id, instant: clock.now(), request_id: "v-1", label: null, keyed: null },
    ...{ version: await readVersion(context.db, project.id), metadata_schemas: new Map() },
    ...{ caller: { kind: "service" }, event_source: { channel: "API" } },
  } as unknown as Call;
  const request = singleRequest(call, { object: "voucher", id: "OFF" }, {}, trackingOf(context.seal, project.id));
  const rows: ExplainedRefusal[] = [];
  const explaining = createExplaining(context, { add: (row) => void rows.push(row), flush: async () => {} });
  await gather(request, async (shared) => {
    const decision = await decideRequest(context.turns, shared, request);
    for (let i = 0; i < 40; i += 1) explaining.add(shared, request, decision, "validation");
  });
  await explaining.flush();
  // The first is taken up at once.
  expect(rows).toHaveLength(17);
  expect(rows[0]).toMatchObject({ key: "voucher_disabled", explanation: { summary: ["it is switched off"] } });
  // And there is room again.
  await gather(request, async (shared) =>
    explaining.add(shared, request, await decideRequest(context.turns, shared, request), "redemption"),
  );
  await explaining.flush();
  expect(rows).toHaveLength(18);
});
