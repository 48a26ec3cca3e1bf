import { type CodeConfig, capacityOf } from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";
import type { Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { column } from "../../platform/db/sql.js";
import type { Project } from "../projects/index.js";
import { codeAtPlace, drawCodes, isListed, takeRandomly } from "./codes.js";
import type { NewVoucher } from "./voucher.js";
import { findFreeCodes, insertVouchers, type NewCode } from "./voucher-insert.store.js";

/** Vouchers to be made: what they have in common, and how their codes look. */
export interface Generation {
  project: Project;
  made: NewVoucher;
  code_config: CodeConfig;
  instant: Instant;
}

const rounds_max = 10;
const written_at_once = 2_500;
/** Codes looked up in one statement while free ones are looked for. */
const listed_at_once = 10_000;

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
    // Each part is drawn while PostgreSQL writes the one before.
    const parts = partSizes(wanted).map((size) =>
      insertVouchers(tx, project.id, made, drawCodes(project, code_config, size), instant),
    );
    const written = (await Promise.all(parts)).flat();
    vouchers.push(...written);
    if (is_listed && written.length * 2 < wanted) break;
  }
  if (!is_listed || vouchers.length === count) return vouchers;
  return [...vouchers, ...(await takeFreeCodes(tx, generation, count - vouchers.length))];
}

/** How many codes each statement writes: enough that a statement is worth sending, few enough that none waits for long. */
function partSizes(count: number): number[] {
  const sizes: number[] = [];
  for (let left = count; left > 0; left -= written_at_once) sizes.push(Math.min(left, written_at_once));
  return sizes;
}

/**
 * Looks through the space, a part of it at a time in random order, and draws from the codes that are free there, so that
 * even the last one is found. It comes to this only when most codes are taken, so that which part is looked at first
 * makes none easier to guess.
 */
async function takeFreeCodes(tx: Tx, generation: Generation, count: number): Promise<NewCode[]> {
  const { project, made, code_config, instant } = generation;
  const vouchers: NewCode[] = [];
  for (const places of partsOf(Number(capacityOf(code_config, project.case_sensitive_codes)))) {
    const codes = places.map((place) => codeAtPlace(project, code_config, place));
    const free = await findFreeCodes(tx, project.id, column(codes, "code_key"));
    // More than once only where somebody takes codes by name meanwhile.
    while (free.length > 0 && vouchers.length < count) {
      const drawn = takeRandomly(free, count - vouchers.length).map(({ place }) => codes[place] as NewCode);
      vouchers.push(...(await insertVouchers(tx, project.id, made, drawn, instant)));
    }
    if (vouchers.length === count) break;
  }
  return vouchers;
}

/** Every place of a space once, in parts that each lie scattered over all of it, in random order. */
function* partsOf(capacity: number): Generator<number[]> {
  const parts = Math.ceil(capacity / listed_at_once);
  for (const first of takeRandomly(
    Array.from({ length: parts }, (_, part) => part),
    parts,
  )) {
    const places: number[] = [];
    for (let place = first; place < capacity; place += parts) places.push(place);
    yield places;
  }
}
