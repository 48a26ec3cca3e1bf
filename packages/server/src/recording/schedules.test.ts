import { expect, test } from "vitest";
import { startService } from "../../test/harness/service.js";
import { sql } from "../platform/db/sql.js";
import { edits_versions_kept, readVersion } from "./edits.store.js";

const { api, anotherProject, context, project, runDue } = await startService();
const { db } = context;

/** As if the project had been edited so often. */
const edited = (project_id: string, versions: number) =>
  db.run(sql`
    with moved as (
      update project_versions set version = project_versions.version + ${versions}
       where project_versions.project_id = ${project_id}
      returning project_versions.version
    )
    insert into catalogue_changes (project_id, version, kind, id)
    select ${project_id}, number, 'segment', 'seg_' || number
      from moved, generate_series(moved.version - ${versions}::int + 1, moved.version) as number`);

const firstOf = async (project_id: string) =>
  (
    await db.one<{ first: number }>(sql`
      select min(catalogue_changes.version) as first from catalogue_changes
       where catalogue_changes.project_id = ${project_id}`)
  ).first;

test("what old versions changed ends on schedule, and who is behind that reads everything", async () => {
  const other = await anotherProject();
  await api.post("/v1/vouchers/CODE", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
  const isValid = async () =>
    (
      await api.post(
        "/v1/validations",
        { redeemables: [{ object: "voucher", id: "CODE" }], order: { amount: 500 } },
        200,
      )
    ).body.valid;
  expect(await isValid()).toBe(true);
  await edited(project.id, edits_versions_kept + 4_321);
  await edited(other.id, 10);
  const of_other = await firstOf(other.id);
  await runDue();
  expect(await firstOf(project.id)).toBe((await readVersion(db, project.id)) - edits_versions_kept + 1);
  expect(await firstOf(other.id)).toBe(of_other);
  expect(await isValid()).toBe(true);
});
