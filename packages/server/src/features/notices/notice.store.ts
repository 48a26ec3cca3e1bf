import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { Ended } from "../../platform/db/purge.js";
import { sql } from "../../platform/db/sql.js";
import { insertInto, json, table, text, timestamptz } from "../../platform/db/table.js";
import { isAmong } from "../../platform/jobs/served.js";
import { kept_ms, type Notice } from "./notice.js";

const notices = table<Notice>("notices", {
  id: text,
  kind: text,
  used_limit: json,
  switched_off: json,
  created_at: timestamptz,
});

export const insertNotice = (tx: Tx, project_id: string, notice: Notice) =>
  tx.run(insertInto(notices, project_id, [notice]));

/** Those that are still shown, the newest first. */
export const listNotices = (db: Pick<Queries, "many">, project_id: string, now: Instant, rows_max: number) =>
  db.many<Notice>(sql`
    select ${notices.fields} from notices
     where notices.project_id = ${project_id} and notices.created_at > ${isoOf(now - kept_ms)}
     order by notices.id desc limit ${rows_max}`);

export const deleteOldNotices = (db: Queries, { instant, project_ids, rows_max }: Ended) =>
  db.run(sql`-- every project: one purge for all
    delete from notices
     where (notices.project_id, notices.id) in (
             select notices.project_id, notices.id from notices
              where notices.created_at <= ${isoOf(instant - kept_ms)}
                and ${isAmong(sql`notices.project_id`, project_ids)}
              limit ${rows_max})`);
