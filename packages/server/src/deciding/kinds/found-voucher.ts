import { codeKey, type LockedVoucher, type NamedVoucher } from "../../features/vouchers/index.js";
import type { Named } from "../named.js";
import type { SharedFacts } from "../shared-facts.js";
import { Found } from "./found.js";

const found = new Found<NamedVoucher, LockedVoucher>("voucher", ({ id, code_key }) => [id, `code ${code_key}`]);

/** By id where one is known by it, else by code (vouchers-and-campaigns.md §3.3). */
export const voucherOf = (shared: SharedFacts, id_or_code: string): LockedVoucher | undefined =>
  found.row(shared, id_or_code) ?? found.row(shared, codeName(shared, id_or_code));

/** Makes a voucher known, or known as it is by now; also one that does not exist yet. */
export const keepVoucher = (shared: SharedFacts, voucher: LockedVoucher): void => found.keep(shared, voucher);

export const keepVoucherName = (named: Named, voucher: NamedVoucher): void => found.keepName(named, voucher);

/** The same as far as locks need it. */
export const voucherNamed = (named: Named, id_or_code: string): NamedVoucher | undefined =>
  found.name(named, id_or_code) ?? found.name(named, codeName(named, id_or_code));

const codeName = ({ catalogue }: Named, code: string) => `code ${codeKey(catalogue.project, code)}`;
