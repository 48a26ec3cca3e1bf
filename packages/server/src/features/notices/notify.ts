import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { addMail } from "../people/index.js";
import type { Notice } from "./notice.js";
import { insertNotice } from "./notice.store.js";

/** Where a project wants to be told, as its settings say. */
export interface Wanted {
  in_app: boolean;
  emails: readonly string[];
}

/** What is told: the facts for our pages, and a mail for whoever is written to. */
export interface Told {
  notice: Pick<Notice, "kind"> & Partial<Pick<Notice, "used_limit" | "switched_off">>;
  mail: { subject: string; text: string };
}

/** Tells the people of a project something, with the change that makes it true (platform.md §13, events-and-webhooks.md §5). */
export async function notify(
  context: Pick<Context, "seal" | "clock">,
  { tx, ring, cause: { project_id, instant } }: Pick<Change, "tx" | "ring" | "cause">,
  { in_app, emails }: Wanted,
  { notice, mail }: Told,
): Promise<void> {
  if (in_app)
    await insertNotice(tx, project_id, {
      ...{ id: newId("ntc"), used_limit: null, switched_off: null, created_at: instant },
      ...notice,
    });
  for (const to of emails) await addMail(context, tx, project_id, { to, ...mail });
  if (emails.length > 0) ring("mails");
}
