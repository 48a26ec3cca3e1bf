import { type Consumer, consumerOf } from "../../../events/index.js";
import { startWalks } from "../../../walks/index.js";
import { evening, kept_nights } from "./walk.js";

/** From its first program on a project has nights; however late the event comes, none after it is missed. */
const plans = consumerOf({
  name: "loyalty nights",
  names: ["campaign.created"],
  when: "dispatch",
  async take(tx, events) {
    const programs = events.filter(({ data }) => data.campaign.campaign_type === "LOYALTY_PROGRAM");
    const first = new Map<string, number>();
    for (const { project_id, created_at } of programs)
      first.set(project_id, Math.min(created_at, first.get(project_id) ?? created_at));
    const nights = [...first].map(([project_id, due_at]) => ({ project_id, state: evening(null), due_at }));
    await startWalks(tx, kept_nights, nights, "go on");
    return undefined;
  },
});

export const consumers: readonly Consumer[] = [plans];
