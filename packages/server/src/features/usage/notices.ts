import { type CallCounter, isCycle } from "../../platform/call-limits.js";
import type { Context } from "../../platform/context.js";
import { newRequestId } from "../../platform/ids.js";
import { change } from "../../recording/index.js";
import { eventSourceOf, the_service } from "../../terms/index.js";
import { notify } from "../notices/index.js";
import { type CountedPeriod, noticeOf } from "./usage.js";
import { putNotice } from "./usage.store.js";

const hour_ms = 60 * 60_000;

/**
 * Tells that a project has used as much of a limit as it wanted to be told of: once an hour at most, of calls of automations four times a
 * day, of a cycle once (platform.md §13). It blocks nobody.
 */
export async function tellOfUse(
  context: Pick<Context, "db" | "seal" | "clock" | "bell">,
  period: CountedPeriod,
): Promise<void> {
  const { project, limit, calls_told, starts_at, ends_at } = period;
  const notice = noticeOf(period);
  const wanted = project.api_usage_notifications[notice];
  if (period.is_noticed || !wanted?.enabled || calls_told * 100 < limit.value * wanted.value) return;
  period.is_noticed = true;
  const instant = context.clock.now();
  const pause_ms = notice === "webhook_calls" ? 6 * hour_ms : hour_ms;
  const since = isCycle(limit.duration) ? starts_at : instant - pause_ms;
  const event_source = eventSourceOf(the_service);
  const cause = { project_id: project.id, request_id: newRequestId(), event_source, instant };
  await change(context, cause, async (change) => {
    if (!(await putNotice(change.tx, project.id, notice, { instant, since }))) return;
    const used_limit = { calls: calls_told, value: limit.value, duration: limit.duration, ends_at };
    await notify(context, change, wanted, { notice: { kind: notice, used_limit }, mail: mailOf(period, ends_at) });
  });
}

const words: Record<CallCounter, { calls: string; beyond: string }> = {
  api_calls: { calls: "calls", beyond: "Calls beyond the limit are refused" },
  bulk_api_calls: { calls: "bulk calls", beyond: "Calls beyond the limit are refused" },
  webhook_calls: { calls: "calls of automations", beyond: "Messages beyond the limit are not sent" },
};

function mailOf({ project, counter, limit, calls_told }: CountedPeriod, ends_at: number) {
  const { calls, beyond } = words[counter];
  const percent = Math.floor((100 * calls_told) / limit.value);
  return {
    subject: `${project.name}: ${percent} % of the ${calls} are used`,
    text: [
      `The project ${project.name} (${project.id}) has made ${calls_told} of the ${limit.value} ${calls} that it may make in ${limit.duration}.`,
      `The next period begins at ${new Date(ends_at).toISOString()}. ${beyond} until then.`,
    ].join("\n"),
  };
}
