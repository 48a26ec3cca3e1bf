import { sql } from "../../src/platform/db/sql.js";
import { by_creation, type MakeList, newest_first, ordered, paged, three, unordered } from "./asked.fixtures.js";

/** The middle one has failed, which comes before those that wait. */
export const exports: MakeList = async (service, { id: project_id, api }) => {
  const made = await three(
    service,
    async () => (await api.post("/v1/exports", { exported_object: "order" }, 200)).body.id as string,
  );
  await service.context.db.run(
    sql`update exports set status = 'ERROR' where exports.project_id = ${project_id} and exports.id = ${made[1]}`,
  );
  const asked = {
    ...paged(100),
    ...by_creation,
    ...ordered("status", [1, 0, 2]),
    ...unordered("exported_object"),
  };
  return { api, url: "/v1/exports", made, first: newest_first, asked };
};
