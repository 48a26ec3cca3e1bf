import type { Cluster } from "../async.fixtures.js";
import type { Workplace } from "./projects.fixtures.js";

/** What has become of an action, in words that are the same wherever and whenever it was done. */
export interface Outcome {
  /** As the API shows it. */
  action: unknown;
  /** What it made for reading: the report of a bulk request, the file of an export; their lines. */
  file: string[];
  /** Everything that is stored of the project: each row of each table as text, in no order of its own. */
  rows: string[];
}

/**
 * Not compared: what is about the project and its actions themselves; what is on its way, or depends on who was awake; what
 * is written once a slice, whatever is in it.
 */
const apart = [
  ...["api_keys", "project_members", "projects", "async_actions", "async_action_items", "exports", "export_parts"],
  ...["outbox_parcels", "inbox", "walks", "usage_days", "call_counts", "api_requests", "transaction_tokens"],
  ...["catalogue_changes", "project_versions", "code_pages"],
];

/** A counter that many add to is several, and which of them a slice adds to is drawn by lot: their sum is compared. */
const in_slots = ["campaign_voucher_counts", "standalone_voucher_counts"];

/** Reads what an action has left in a project where nothing else was done since. */
export async function outcomeOf(cluster: Cluster, place: Workplace, action_id: string): Promise<Outcome> {
  const shown = (await place.api.get(`/v1/async-actions/${action_id}`)).body;
  const { rows: exported } = await cluster.db.query("select id from exports where project_id = $1", [place.id]);
  const written = exported[0] ? (await place.api.get(`/v1/exports/${exported[0].id}`, 200)).body : undefined;
  const url = written?.result?.url ?? shown.result?.reports?.[0];
  const file = url ? (await (await fetch(url)).text()).split("\n").map(nameless) : [];
  const { type, status, operation_status, progress, result } = shown;
  const action = nameless(
    JSON.stringify(written ? { status: written.status } : { type, status, operation_status, progress, result }),
  );
  return { action, file, rows: await rowsOf(cluster, place.id) };
}

async function rowsOf({ db }: Cluster, project_id: string): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select pg_class.relname as name
       from pg_class
       join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attname = 'project_id'
      where pg_class.relkind in ('r', 'p') and not pg_class.relispartition
        and pg_class.relnamespace = 'public'::regnamespace and not pg_class.relname = any($1)
      order by pg_class.relname`,
    [[...apart, ...in_slots]],
  );
  const found: string[] = [];
  for (const name of in_slots) {
    const { rows } = await db.query<{ row: string }>(
      `select coalesce(sum(vouchers_count), 0) as row from ${name} where project_id = $1`,
      [project_id],
    );
    found.push(`${name} ${rows[0]?.row}`);
  }
  for (const { name } of tables) {
    const { rows } = await db.query<{ row: string }>(
      `select to_jsonb(r)::text as row from ${name} as r where r.project_id = $1`,
      [project_id],
    );
    found.push(...rows.map(({ row }) => `${name} ${nameless(row)}`));
  }
  return found;
}

/** Without ids, instants, secrets in urls, and codes that were drawn by lot. */
const nameless = (text: string): string =>
  text
    .replace(/\b[a-z]+_[0-9A-Za-z]{16,}/g, "<id>")
    .replace(/\b[vw]-[0-9a-f]{18}\b/g, "<request>")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, "<instant>")
    .replace(/https?:[^"\s]+/g, "<url>")
    .replace(/random-[0-9a-z]+/gi, "<code>")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<key>")
    .replace(/"(\w+_(at|date))": \d{13}/g, '"$1": <instant>');

const lines_max = 6;

/** In what two outcomes differ, the first few of it; a line that is there twice in one and once in the other does. */
export function differences(calm: Outcome, killed: Outcome): string[] {
  const of_action = calm.action === killed.action ? [] : [`calm: ${calm.action}`, `killed: ${killed.action}`];
  const of_file = calm.file.flatMap((line, i) =>
    line === killed.file[i] ? [] : [`line ${i}: ${line} / ${killed.file[i]}`],
  );
  const longer =
    killed.file.length > calm.file.length ? [`the file has ${killed.file.length} lines, not ${calm.file.length}`] : [];
  return [
    of_action,
    of_file,
    longer,
    moreIn(calm.rows, killed.rows, "lost"),
    moreIn(killed.rows, calm.rows, "too many"),
  ].flatMap((some) => some.slice(0, lines_max));
}

function moreIn(some: readonly string[], others: readonly string[], told: string): string[] {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1);
  return some.flatMap((row) => {
    const left = counts.get(row) ?? 0;
    counts.set(row, left - 1);
    return left > 0 ? [] : `${told}: ${row}`;
  });
}
