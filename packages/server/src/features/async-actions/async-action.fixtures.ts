import { inject, onTestFinished } from "vitest";
import { type Answer, createClient } from "../../../test/harness/client.js";
import type { TestProject, TestService } from "../../../test/harness/service.js";
import type { Cause } from "../../events/index.js";
import { openDatabase } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { newRequestId } from "../../platform/ids.js";
import { change } from "../../recording/index.js";
import type { AsyncActionType, AsyncJob, Slice } from "./async-action.js";
import { type NewAsyncAction, startAsyncAction } from "./async-action.service.js";
import { createRunner } from "./runner.js";

/** Builders for tests of actions: they start them as a request would, and do them with jobs that note what they did. */
export function actionsOf({ context, clock }: TestService, { id: project_id }: { id: string }) {
  const cause = (): Cause => ({
    project_id,
    request_id: newRequestId(),
    event_source: { channel: "API" },
    instant: clock.now(),
  });
  return {
    cause,
    start: (type: AsyncActionType, more: Partial<NewAsyncAction> = {}) =>
      change(context, cause(), (change) => startAsyncAction(change, { type, parameters: {}, ...more })),
    stored: (id: string) =>
      context.db.one<Record<string, unknown>>(
        sql`select async_actions.* from async_actions where async_actions.project_id = ${project_id} and async_actions.id = ${id}`,
      ),
    rows: (id: string) =>
      context.db.many<{ number: number }>(
        sql`select async_action_rows.number from async_action_rows
             where async_action_rows.project_id = ${project_id} and async_action_rows.action_id = ${id}
             order by async_action_rows.number`,
      ),
  };
}

/** A job that counts to `parameters.count`, a result row a number; `before` may throw, and notes the order of slices. */
export function countingJob(
  type: AsyncActionType,
  { room = 10, before = async () => {} }: { room?: number; before?: (id: string, from: number) => Promise<void> } = {},
): AsyncJob<{ count: number }, { next: number }> {
  return {
    type,
    rows: { start: room, max: room },
    async slice(_tx, { id, parameters, state, rows_max, done_count }): Promise<Slice> {
      const next = state?.next ?? 1;
      await before(id, next);
      const end = Math.min(next + rows_max, parameters.count + 1);
      const rows = Array.from({ length: end - next }, (_, i) => ({ number: next + i, outcome: { found: true } }));
      const counted = { rows, done_count: rows.length };
      if (end <= parameters.count)
        return { ...counted, done: false, progress: ((end - 1) / parameters.count) * 100, state: { next: end } };
      return {
        ...counted,
        done: true,
        result: { message: `Counted to ${parameters.count}.`, done_count: done_count + rows.length },
      };
    },
  };
}

/** The database through connections of its own, to be held up or cut apart from everything else. */
export function anotherDatabase({ context }: TestService) {
  const db = openDatabase({ url: inject("database_url"), log: context.log, connections_max: 2, prepared: true });
  onTestFinished(() => db.close());
  return db;
}

/** Bulk requests, done as far as they are due, and their reports read by whoever has the url. */
export function bulkOn({ url, runDue }: Pick<TestService, "url" | "runDue">) {
  const anybody = createClient(url);
  return {
    async finished({ api }: Pick<TestProject, "api">, { body }: Answer) {
      await runDue();
      return (await api.get(`/v1/async-actions/${body.async_action_id}`, 200)).body;
    },
    reportOf: async ({ result }: { result: { reports: string[] } }): Promise<string[]> =>
      (await anybody.get(result.reports[0]?.slice(url.length) ?? "", 200)).body.split("\n"),
  };
}

/** Projects with actions, and runners that serve them alone and keep the failures of a test out of its output. */
export function testsOf(service: TestService) {
  const { context } = service;
  const quiet = { ...context.log, error() {}, warn() {} } as unknown as typeof context.log;
  return {
    quiet,
    async aProject() {
      const project = await service.anotherProject();
      return { ...project, ...actionsOf(service, project) };
    },
    runnerOf: (projects: readonly { id: string }[], ...jobs: AsyncJob[]) =>
      createRunner({ ...context, log: quiet }, jobs, { project_ids: projects.map(({ id }) => id) }),
  };
}

/** Where somebody waits until the test lets them go on. */
export function aGate() {
  let open = () => {};
  let arrive = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    reached,
    open: () => open(),
    passed(): Promise<void> {
      arrive();
      return opened;
    },
  };
}
