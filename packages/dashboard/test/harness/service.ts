import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { buildApp } from "../../../server/src/app.js";
import { aBrowser, aSessionOf, cookieNameOf } from "../../../server/src/features/people/people.fixtures.js";
import { makeFirstOwnerLink } from "../../../server/src/features/people/people.service.js";
import { makeFirstProject, putMember, type Role } from "../../../server/src/features/projects/index.js";
import { insertUser } from "../../../server/src/features/projects/user.store.js";
import type { Context } from "../../../server/src/platform/context.js";
import { readBuiltPages } from "../../../server/src/platform/http/pages/index.js";
import { createLog } from "../../../server/src/platform/log.js";
import { createSecondPhase } from "../../../server/src/second-phase.js";
import { type Client, createClient } from "../../../server/test/harness/client.js";
import { aContextApart } from "../../../server/test/harness/database.js";
import { shapes } from "../../../server/test/harness/service.js";

export const dist = fileURLToPath(new URL("../../dist", import.meta.url));

export interface Installation {
  url: string;
  context: Context;
  project_id: string;
  /** Calls as the project's application. */
  api: Client;
  /** Where the first owner begins. */
  welcome: string;
  /** The cookie of somebody who is signed in and has a role in the project. */
  cookieOf(role: Role, names?: { first_name: string; last_name: string }): Promise<{ name: string; value: string }>;
  /** Does what is done after the answer. */
  runDue(): Promise<void>;
  /** Lets time pass, which stands still otherwise. */
  advance(by: { ms: number }): void;
}

/** The service with its pages, on an empty database of its own, just started for the first time. */
export async function anInstallation(
  now: string = new Date().toISOString(),
  config: Partial<Context["config"]> = {},
): Promise<Installation> {
  const { context: apart, clock } = await aContextApart({ now });
  let url = "";
  const context: Context = {
    ...apart,
    config: { ...apart.config, ...config },
    log: createLog("error"),
    public_url: () => url,
  };
  const first = await makeFirstProject(context, { app_id: "app", app_token: "app-token" });
  const project_id = first?.project_id ?? "";
  const pages = await readBuiltPages(dist);
  const app = await buildApp(context, { check_responses: true, pages, shapes });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const second_phase = createSecondPhase(context, { project_ids: [project_id] });
  let people = 0;
  return {
    url,
    context,
    project_id,
    api: createClient(url, { "x-app-id": "app", "x-app-token": "app-token" }),
    welcome: `${url}${await makeFirstOwnerLink(context)}`,
    advance: clock.advance,
    runDue: () => second_phase.runDue(context.clock.now()),
    async cookieOf(role, names = { first_name: "Marta", last_name: "Kowalczyk" }) {
      people += 1;
      const email = `person-${people}@nordlicht.example`;
      const user = {
        id: `user_${people}`,
        login: email,
        email,
        is_owner: false,
        created_at: context.clock.now(),
        ...names,
      };
      await context.db.transaction(async (tx) => {
        await insertUser(tx, user);
        await putMember(tx, project_id, user.id, role, context.clock.now());
      });
      return { name: cookieNameOf({ context }), value: await aSessionOf({ url, context }, user.id) };
    },
  };
}

/** What an installation does in the background, for as long as a page waits for it. */
export async function whileItWorks<Result>({ runDue }: Installation, waited_for: Promise<Result>): Promise<Result> {
  let is_over = false;
  const ends = waited_for.finally(() => {
    is_over = true;
  });
  ends.catch(() => undefined);
  while (!is_over) {
    await runDue();
    await Promise.race([ends, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  return ends;
}

export { aBrowser };
