import type { InputFault } from "../calendar/window-fault.js";

/** How codes of a campaign or voucher look, as sent (vouchers-and-campaigns.md §3.1). */
export interface CodeConfigInput {
  /** Random characters, prefix and postfix not counted. */
  length?: number | null;
  charset?: string | null;
  prefix?: string | null;
  postfix?: string | null;
  /** Each `#` is one random character; overrides `length`. */
  pattern?: string | null;
}

/** The configuration as it is stored and answered: `length` and `pattern` say the same thing. */
export interface CodeConfig {
  length: number;
  charset: string;
  prefix?: string;
  postfix?: string;
  pattern: string;
}

const CODE_LENGTH_DEFAULT = 8;
const CODE_LENGTH_MAX = 255;

/** Fills in what was left out. `default_charset` is the project's (platform.md §7.1). */
export function normaliseCodeConfig(
  input: CodeConfigInput,
  default_charset: string,
): { config: CodeConfig } | { fault: InputFault } {
  const charset = [...new Set(input.charset ?? default_charset)].join("");
  if (charset === "") return { fault: semantic("charset", "must not be empty") };
  const length = input.length ?? CODE_LENGTH_DEFAULT;
  // Beside a pattern of fixed characters alone a length of none is what is shown, and so what may be sent again.
  const least = input.pattern == null ? 1 : 0;
  if (!Number.isInteger(length) || length < least) return { fault: semantic("length", "must be a positive integer") };
  // Before the pattern is written out: a length of a billion must not become a text of that size.
  if (length > CODE_LENGTH_MAX && input.pattern == null) return { fault: tooLong("length") };
  const pattern = input.pattern ?? "#".repeat(length);
  const { prefix, postfix } = input;
  const config: CodeConfig = {
    length: randomCharacters(pattern),
    charset,
    ...(prefix == null ? {} : { prefix }),
    ...(postfix == null ? {} : { postfix }),
    pattern,
  };
  const code_length = [...(prefix ?? ""), ...pattern, ...(postfix ?? "")].length;
  if (code_length > CODE_LENGTH_MAX) return { fault: tooLong("pattern") };
  const fault = characterFault(config);
  return fault === null ? { config } : { fault };
}

/** Whichever characters are drawn, the code has to be one that is allowed. */
function characterFault(config: CodeConfig): InputFault | null {
  for (const part of ["charset", "prefix", "pattern", "postfix"] as const) {
    if (CONTROL.test(config[part] ?? "")) return semantic(part, "must not hold control characters");
  }
  const drawn = config.charset.includes("/") ? "/" : [...config.charset][0];
  const worst = codeOf(config, () => drawn as string);
  if (!/[^/]/.test(worst)) return semantic("pattern", "must not give empty codes or codes of slashes alone");
  return codeFault(worst) === null ? null : tooLong("pattern");
}

const semantic = (path: string, problem: string): InputFault => ({ kind: "semantic", path, problem });

const tooLong = (path: string) => semantic(path, `must not give codes of more than ${CODE_LENGTH_MAX} characters`);

const randomCharacters = (pattern: string) => pattern.split("#").length - 1;

/** Writes a code, asking for each random character in turn. */
export function codeOf({ prefix, postfix, pattern }: CodeConfig, nextCharacter: () => string): string {
  return (prefix ?? "") + pattern.replaceAll("#", nextCharacter) + (postfix ?? "");
}

/** The form in which codes are compared when a project does not tell upper from lower case (§3.3). */
export const foldCode = (code: string) => code.toLowerCase();

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Why a text may be no code at all (§3.4): a code is something, printable, not only slashes. Null where it may be one. */
export function codeFault(code: string): string | null {
  if (code === "") return "must not be empty";
  // Characters, as the shapes of requests count them: what lies beyond the first plane has two units each.
  if (code.length > CODE_LENGTH_MAX && [...code].length > CODE_LENGTH_MAX)
    return `must NOT have more than ${CODE_LENGTH_MAX} characters`;
  if (!/[^/]/.test(code) || CONTROL.test(code)) return "must not hold control characters, nor slashes alone";
  return null;
}

/** The characters that make codes differ: folded and collapsed in a project without case. */
function distinctCharacters({ charset }: CodeConfig, case_sensitive: boolean): string[] {
  return [...new Set(case_sensitive ? charset : foldCode(charset))];
}

/** How many different codes there can be, used ones included (§3.2). */
export function capacityOf(config: CodeConfig, case_sensitive: boolean): bigint {
  return BigInt(distinctCharacters(config, case_sensitive).length) ** BigInt(config.length);
}

/** Null when `count` different codes exist; otherwise says how many do. */
export function checkCapacity(config: CodeConfig, count: number, case_sensitive: boolean): InputFault | null {
  const capacity = capacityOf(config, case_sensitive);
  if (BigInt(count) <= capacity) return null;
  return semantic("pattern", `must allow ${count} different codes, but there are only ${capacity}`);
}

/**
 * The code at a place of the whole space, from 0 to capacity − 1, so that the codes still free in a
 * small space can be listed and drawn from.
 */
export function codeAt(config: CodeConfig, place: bigint, case_sensitive: boolean): string {
  const characters = distinctCharacters(config, case_sensitive);
  const base = BigInt(characters.length);
  let rest = place;
  return codeOf(config, () => {
    const character = characters[Number(rest % base)] as string;
    rest /= base;
    return character;
  });
}
