import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { mapInSlices } from "../../platform/sharing/slices.js";
import type { Change } from "../../recording/index.js";
import { readUnderKeys } from "../../recording/index.js";
import {
  type AsyncJob,
  type BulkOutcome,
  bulkError,
  bulkJob,
  CannotGoOn,
  metadataError,
  type PurgedTable,
} from "../async-actions/index.js";
import { findProject, readMetadataSchemas } from "../projects/index.js";
import { voucherImportJobs } from "./imports/voucher-import.kinds.js";
import { codeKey } from "./voucher.js";
import { findVoucherMetadata, metadata_keys, writeMetadata } from "./voucher-bulk.store.js";

/** A voucher as a bulk request changes it. */
export interface VoucherEntry {
  code: string;
  metadata: Record<string, unknown>;
}

/** Chunks that a slice takes: each voucher is a key (architecture.md §3). */
const rows = { start: 1, max: 2 };

/** `VOUCHERS.METADATA_UPDATE`: the same metadata into each voucher (vouchers-and-campaigns.md §8). */
const metadataUpdate = bulkJob<string>({
  type: "VOUCHERS.METADATA_UPDATE",
  rows,
  apply(change, { parameters: { metadata = {} } }, codes) {
    return mergeInto(
      change,
      codes.map((code) => ({ code, metadata })),
    );
  },
});

/** `VOUCHERS.BULK_UPDATE`: each voucher its own metadata. */
const bulkUpdate = bulkJob<VoucherEntry>({
  type: "VOUCHERS.BULK_UPDATE",
  rows,
  apply: (change, _action, entries) => mergeInto(change, entries),
});

type VoucherOutcome = BulkOutcome & { code: string };

/** Merges metadata into vouchers that are there; one that is named twice is changed twice, in order. Nobody is told (§8). */
async function mergeInto({ tx, cause }: Change, entries: readonly VoucherEntry[]): Promise<VoucherOutcome[]> {
  const { project_id, instant } = cause;
  const keyOf = await codeKeys(tx, project_id);
  const code_keys = [...new Set(entries.map(({ code }) => keyOf(code)))];
  const found = await readUnderKeys(
    tx,
    () => findVoucherMetadata(tx, project_id, code_keys),
    (vouchers) => vouchers.map(({ id }) => ({ project_id, kind: "voucher" as const, id })),
  );
  const schemas = await readMetadataSchemas(tx, project_id);
  const vouchers = new Map(found.map((voucher) => [voucher.code_key, voucher]));
  const changed = new Map<string, Record<string, unknown>>();
  const outcomes = await mapInSlices(entries, ({ code, metadata }): VoucherOutcome => {
    const voucher = vouchers.get(keyOf(code));
    if (!voucher) return { code, found: false, updated: false, error: bulkError(problems.notFound("voucher", code)) };
    const merged = { ...(changed.get(voucher.id) ?? voucher.metadata), ...metadata };
    const error = metadataError(schemas, "voucher", { sent: metadata, merged, is_made: false });
    if (error) return { code, found: true, updated: false, error };
    changed.set(voucher.id, merged);
    return { code, found: true, updated: true };
  });
  const written = [...changed].map(([id, metadata]) => ({ id, metadata }));
  await writeMetadata(tx, project_id, written, instant);
  return outcomes;
}

async function codeKeys(db: Queries, project_id: string): Promise<(code: string) => string> {
  const project = await findProject(db, project_id);
  if (!project) throw new CannotGoOn("The project is gone");
  return (code) => codeKey(project, code);
}

/** What a purge of a key does to vouchers. Nobody is told. */
export const voucherMetadata: PurgedTable = {
  metadata: metadata_keys,
  keysOf: (project_id, id) => [{ project_id, kind: "voucher", id }],
};

/** The jobs of vouchers (vouchers-and-campaigns.md §7.1). */
export const voucherJobs: readonly AsyncJob[] = [metadataUpdate, bulkUpdate, ...voucherImportJobs];
