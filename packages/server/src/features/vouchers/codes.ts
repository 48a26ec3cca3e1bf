import { randomBytes, randomInt } from "node:crypto";
import {
  type CodeConfig,
  capacityOf,
  checkCapacity,
  codeAt,
  codeMaker,
  type NextByte,
  normaliseCodeConfig,
} from "@guerdon/engine";
import { newId } from "../../platform/ids.js";
import { refusals } from "../../terms/index.js";
import type { Project } from "../projects/index.js";
import { codeKey } from "./voucher.js";
import type { CodeConfigInput } from "./voucher.schemas.js";
import type { NewCode } from "./voucher-insert.store.js";

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const default_charsets = {
  case_sensitive: digits + lower + lower.toUpperCase(),
  folded: digits + lower.toUpperCase(),
};

/** Spaces up to this size are listed when drawing at random stops paying off (vouchers-and-campaigns.md §3.2). */
const listed_space_max = 1_000_000n;

type CodesOf = Pick<Project, "case_sensitive_codes" | "default_code_config">;

/**
 * The configuration with everything filled in, checked for this many codes (vouchers-and-campaigns.md §3.1, §3.2).
 * `stored` is what a campaign has: what a call sends lies over it.
 */
export function readCodeConfig(
  project: CodesOf,
  input: CodeConfigInput | null | undefined,
  count: number,
  stored?: CodeConfig & { initial_count?: number },
): CodeConfig & { initial_count?: number } {
  const merged = stored && !input ? stored : input ? overlaid(stored, input) : {};
  const result = normaliseCodeConfig(merged, defaultCharset(project));
  if ("fault" in result)
    throw refusals.invalidCodeConfig(`Property .code_config.${result.fault.path} ${result.fault.problem}`);
  const fault = checkCapacity(result.config, count, project.case_sensitive_codes);
  if (fault) throw refusals.invalidCodeConfig(`Property .code_config.${fault.path} ${fault.problem}`);
  const initial_count = merged.initial_count;
  return { ...result.config, ...(initial_count == null ? {} : { initial_count }) };
}

/** A length that is sent replaces a stored pattern, which would otherwise override it. */
function overlaid(stored: CodeConfigInput | undefined, input: CodeConfigInput): CodeConfigInput {
  if (!stored) return input;
  const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return { ...stored, ...(input.length != null && input.pattern == null ? { pattern: null } : {}), ...sent };
}

function defaultCharset({ case_sensitive_codes, default_code_config }: CodesOf): string {
  return (
    default_code_config?.charset ?? (case_sensitive_codes ? default_charsets.case_sensitive : default_charsets.folded)
  );
}

/** Whether a space is so small that its free codes are listed in the end. */
export const isListed = (project: CodesOf, config: CodeConfig) =>
  capacityOf(config, project.case_sensitive_codes) <= listed_space_max;

/** Draws codes at random, each once; fewer than asked for where the draw repeats itself. */
export function drawCodes(project: CodesOf, config: CodeConfig, count: number): NewCode[] {
  const nextCode = codeMaker(config);
  const nextByte = randomByteSource();
  const drawn = new Map<string, NewCode>();
  for (let i = 0; i < count; i += 1) {
    const made = newCode(project, nextCode(nextByte));
    drawn.set(made.code_key, made);
  }
  return [...drawn.values()];
}

export function newCode(project: CodesOf, code: string): NewCode {
  return { id: newId("v"), code, code_key: codeKey(project, code) };
}

/** The code at a place of a listed space. */
export const codeAtPlace = (project: CodesOf, config: CodeConfig, place: number) =>
  newCode(project, codeAt(config, BigInt(place), project.case_sensitive_codes));

/** Takes up to this many elements out of the list, every choice equally likely. */
export function takeRandomly<Element>(list: Element[], count: number): Element[] {
  const taken: Element[] = [];
  while (taken.length < count && list.length > 0) {
    const at = randomInt(list.length);
    const chosen = list[at] as Element;
    const last = list.pop() as Element;
    if (at < list.length) list[at] = last;
    taken.push(chosen);
  }
  return taken;
}

function randomByteSource(): NextByte {
  let bytes = randomBytes(4096);
  let at = 0;
  return () => {
    if (at === bytes.length) {
      bytes = randomBytes(4096);
      at = 0;
    }
    return bytes[at++] as number;
  };
}
