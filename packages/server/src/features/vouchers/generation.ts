import { type CodeConfig, capacityOf } from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";
import type { Tx } from "../../platform/database.js";
import type { LockKey } from "../../platform/locks.js";
import type { Project } from "../projects/index.js";
import { codeAtPlace, drawCodes, isListed, takeRandomly } from "./codes.js";
import type { NewVoucher } from "./voucher.js";
import { findFreeCodes, insertVouchers, type NewCode } from "./voucher.store.js";

/** Vouchers to be made: what they have in common, and how their codes look. */
export interface Generation {
  project: Project;
  made: NewVoucher;
  code_config: CodeConfig;
  instant: Instant;
}

const rounds_max = 10;
/** Codes looked up in one statement while the free ones are listed. */
const listed_at_once = 20_000;

/** The key that adding vouchers to a campaign holds, so that its deletion leaves none behind. */
export function campaignVouchersKey(project_id: string, campaign_id: string): LockKey {
  return { project_id, kind: "name", id: `vouchers of ${campaign_id}` };
}

/**
 * What making vouchers locks. A small space of codes is used by one at a time: two that draw from it at once would meet
 * at the same codes in different orders, and wait for each other.
 */
export function generationKeys(project: Project, campaign_id: string | null, config: CodeConfig | null): LockKey[] {
  const project_id = project.id;
  return [
    ...(campaign_id === null ? [] : [campaignVouchersKey(project_id, campaign_id)]),
    ...(config && isListed(project, config) ? [{ project_id, kind: "name" as const, id: "small code space" }] : []),
  ];
}

/**
 * Makes up to `count` vouchers with random codes, under {@link generationKeys}: some thousand are one or two statements.
 * Fewer than asked for means that no code is free any more, or that a space beyond a million is as good as full
 * (vouchers-and-campaigns.md §3.2).
 */
export async function generateVouchers(tx: Tx, generation: Generation, count: number): Promise<NewCode[]> {
  const { project, made, code_config, instant } = generation;
  const is_listed = isListed(project, code_config);
  const vouchers: NewCode[] = [];
  for (let round = 0; round < rounds_max && vouchers.length < count; round += 1) {
    const wanted = count - vouchers.length;
    const written = await insertVouchers(tx, project.id, made, drawCodes(project, code_config, wanted), instant);
    vouchers.push(...written);
    if (is_listed && written.length * 2 < wanted) break;
  }
  if (!is_listed || vouchers.length === count) return vouchers;
  return [...vouchers, ...(await takeFreeCodes(tx, generation, count - vouchers.length))];
}

/** Lists the free codes of the whole space and draws from them, so that even the last one is found. */
async function takeFreeCodes(tx: Tx, generation: Generation, count: number): Promise<NewCode[]> {
  const { project, made, code_config, instant } = generation;
  const free = await freePlaces(tx, project, code_config);
  const vouchers: NewCode[] = [];
  // More than one round only where somebody takes codes by name meanwhile.
  while (vouchers.length < count && free.length > 0) {
    const codes = takeRandomly(free, count - vouchers.length).map((place) => codeAtPlace(project, code_config, place));
    vouchers.push(...(await insertVouchers(tx, project.id, made, codes, instant)));
  }
  return vouchers;
}

async function freePlaces(tx: Tx, project: Project, config: CodeConfig): Promise<number[]> {
  const capacity = Number(capacityOf(config, project.case_sensitive_codes));
  const free: number[] = [];
  for (let first = 0; first < capacity; first += listed_at_once) {
    const keys: string[] = [];
    for (let place = first; place < Math.min(first + listed_at_once, capacity); place += 1) {
      keys.push(codeAtPlace(project, config, place).code_key);
    }
    for (const { place } of await findFreeCodes(tx, project.id, keys)) free.push(first + place);
  }
  return free;
}
