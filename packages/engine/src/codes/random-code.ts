import { type CodeConfig, codeOf } from "./code-config.js";

/** Gives the next random byte, 0 to 255. Must be cryptographic: codes are bearer money. */
export type NextByte = () => number;

/**
 * Makes random codes of a configuration. Every character is equally likely: a draw that would favour
 * the first characters of the charset is thrown away and repeated, where a plain remainder is biased.
 */
export function codeMaker(config: CodeConfig): (nextByte: NextByte) => string {
  const characters = [...config.charset];
  const count = characters.length;
  const bytes = count <= 0x100 ? 1 : count <= 0x1_0000 ? 2 : 3;
  const range = 0x100 ** bytes;
  const fair = range - (range % count);
  return (nextByte) =>
    codeOf(config, () => {
      let drawn = fair;
      while (drawn >= fair) {
        drawn = nextByte();
        for (let i = 1; i < bytes; i += 1) drawn = drawn * 0x100 + nextByte();
      }
      return characters[drawn % count] as string;
    });
}
