import type { Queries } from "../../../platform/db/database.js";
import { refusals } from "../../../terms/index.js";
import type { AsyncJob } from "../../async-actions/index.js";
import { type ImportKind, importJob } from "../../imports/index.js";
import type { Project } from "../../projects/index.js";
import { codeKey } from "../voucher.js";
import { importVouchers } from "./import-vouchers.js";
import { standaloneCsv } from "./voucher-csv.js";
import { VoucherImport, type VoucherRowImport } from "./voucher-import.schemas.js";
import { findKnownCodes } from "./voucher-import.store.js";

/** What all imports of vouchers have in common; a slice writes thousands in a few statements. */
export const of_vouchers = {
  noun: "voucher",
  told_by: "code",
  rows: { start: 250, max: 4_000 },
} as const satisfies Partial<ImportKind<VoucherRowImport>>;

/** `VOUCHERS.IMPORT` (vouchers-and-campaigns.md §9.1). */
export const vouchersImport: ImportKind<VoucherRowImport> = {
  ...of_vouchers,
  type: "VOUCHERS.IMPORT",
  shape: VoucherImport,
  apply: (change, turn, rows) =>
    importVouchers(change, turn, rows, { campaign_id: null, changes_known: false, is_told: false }),
};

interface CsvParameters {
  is_told: boolean;
}

/** `VOUCHERS.IMPORT_CSV` (§9.2). */
export const vouchersCsvImport: ImportKind<VoucherRowImport, CsvParameters> = {
  ...of_vouchers,
  type: "VOUCHERS.IMPORT_CSV",
  csv: standaloneCsv,
  apply: (change, turn, rows) =>
    importVouchers(change, turn, rows, {
      campaign_id: null,
      changes_known: true,
      is_told: turn.parameters.is_told,
    }),
};

export const voucherImportJobs: readonly AsyncJob[] = [importJob(vouchersImport), importJob(vouchersCsvImport)];

/** Codes that are looked for in one statement. */
const looked_up_max = 10_000;

/** Refuses all rows where one has no code, or one that another row or voucher has (§9.1). */
export async function assertCodesFree(db: Queries, project: Project, rows: readonly VoucherImport[]): Promise<void> {
  const without = rows.filter(({ code }) => !code).length;
  if (without > 0) throw refusals.vouchersWithoutCode(without);
  const keys = new Set(rows.map(({ code }) => codeKey(project, code ?? "")));
  let taken = rows.length - keys.size;
  const all = [...keys];
  for (let from = 0; from < all.length; from += looked_up_max) {
    taken += (await findKnownCodes(db, project.id, all.slice(from, from + looked_up_max))).length;
  }
  if (taken > 0) throw refusals.duplicateCodes(taken);
}

/** What a row may say; whatever else it says is not kept until its turn either. */
export function importedFields(sent: VoucherImport): VoucherImport {
  const { code, type, discount, gift, loyalty_card, category, active, redemption, additional_info, metadata } = sent;
  const { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours } = sent;
  return {
    ...{ code, type, discount, gift, loyalty_card, category, active, redemption, additional_info, metadata },
    ...{ start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours },
  };
}
