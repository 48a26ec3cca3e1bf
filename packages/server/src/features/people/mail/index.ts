import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { newId } from "../../../platform/ids.js";
import type { MakeWork, Work } from "../../../platform/jobs/loop.js";
import { lease_ms, type Mail, mails_bell, mails_of_step, nextTry } from "./mail.js";
import { deleteMail, insertMail, leaseMails, postponeMail, type StoredMail, someMailDue } from "./mail.store.js";
import { createMailSender } from "./sender.js";

/** Has a mail sent once the transaction is committed; ring `mails`. It is sealed, as it may hold a link. */
export const addMail = ({ seal, clock }: Pick<Context, "seal" | "clock">, tx: Tx, project_id: string, mail: Mail) =>
  insertMail(tx, project_id, { id: newId("mail"), sealed: seal.seal(JSON.stringify(mail)), instant: clock.now() });

/**
 * Sends what is due. A mail is one process's for the length of a lease; whoever dies with it is followed by another, so that it
 * may come twice, and does not get lost.
 */
const mails: MakeWork = (context, { project_ids = null }: { project_ids?: readonly string[] | null }) => {
  const { db, seal, log } = context;
  const sender = createMailSender(context);

  async function sendOne(stored: StoredMail, instant: number): Promise<void> {
    try {
      await sender.send(JSON.parse(seal.open(stored.sealed)) as Mail);
    } catch (err) {
      const due_at = nextTry(stored.tries, instant);
      log.warn(
        { project_id: stored.project_id, mail: stored.id, tries: stored.tries, is_given_up: due_at === null, err },
        "a mail was not taken",
      );
      if (due_at !== null) return void (await postponeMail(db, stored, due_at));
    }
    await deleteMail(db, stored);
  }

  return {
    name: "mails",
    bell: { name: mails_bell, pause_ms: 0 },
    due: (instant) => someMailDue({ instant, project_ids }),
    async step(instant) {
      // All of a step are sent within the lease of the first: twenty seconds each would not be.
      const leased = await leaseMails(db, {
        instant,
        project_ids,
        until: instant + lease_ms * mails_of_step,
        rows_max: mails_of_step,
      });
      for (const one of leased) await sendOne(one, instant);
      return leased.length === mails_of_step ? "more" : leased.length > 0 ? "some" : "nothing";
    },
    stop: async () => sender.close(),
  } satisfies Work;
};

export const works: readonly MakeWork[] = [mails];
