import { type Consumer, consumerOf } from "../../events/index.js";
import { moveMarks } from "./next-vouchers.store.js";

/** What was given is not looked at again by whoever is given the next. */
const marks = consumerOf({
  name: "publication marks",
  names: ["publication.succeeded"],
  when: "dispatch",
  async take(tx, told, { instant }) {
    const projects = new Map<string, Set<string>>();
    for (const { project_id, data } of told) {
      if (data.campaign_id === null) continue;
      projects.set(project_id, (projects.get(project_id) ?? new Set()).add(data.campaign_id));
    }
    // In one order for everybody, since their rows are locked.
    for (const [project_id, campaign_ids] of [...projects].sort(([one], [other]) => (one < other ? -1 : 1)))
      await moveMarks(tx, project_id, [...campaign_ids], instant);
    return undefined;
  },
});

export const consumers: readonly Consumer[] = [marks];
