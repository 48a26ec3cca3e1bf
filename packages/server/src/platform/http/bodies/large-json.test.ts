import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { readJson } from "../door.js";
import { readLargeJson } from "./large-json.js";

/** What reading comes to: the value, or what is said of it. */
async function outcomeOf(read: () => unknown) {
  try {
    return { value: await read() };
  } catch (error) {
    return { refused: String((error as { details?: unknown }).details ?? error) };
  }
}

/** Both ways to read a text; the slow one in pieces that are smaller than most of what it holds. */
async function bothOf(text: string, size: number) {
  // Nothing at all is no body, and never a large one.
  const bytes = Buffer.from(text || " ");
  return [
    await outcomeOf(() => readLargeJson(bytes, undefined, size)),
    await outcomeOf(() => readJson(bytes)),
  ] as const;
}

const sizes = fc.constantFrom(1, 3, 7, 16, 40, 1_000);
const spaced = fc.constantFrom(undefined, 1, "\t");
const json = fc.jsonValue({ maxDepth: 6 });

describe("JSON that is read in pieces", () => {
  test.prop([json, sizes, spaced])("is what it is in one", async (value, size, space) => {
    const [pieces, whole] = await bothOf(JSON.stringify(value, null, space), size);
    expect(pieces).toEqual(whole);
  });

  const spoiling = fc.array(
    fc.tuple(fc.nat(), fc.constantFrom("", ",", "[", "]", "{", "}", ":", '"', "\\", " ", "1")),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  test.prop([json, sizes, spoiling], { numRuns: 2_000 })(
    "is refused where it is refused in one",
    async (value, size, spoilt) => {
      let text = JSON.stringify(value);
      for (const [at, by] of spoilt) {
        const place = at % (text.length + 1);
        text = text.slice(0, place) + by + text.slice(place + 1);
      }
      const [pieces, whole] = await bothOf(text, size);
      expect(pieces).toEqual(whole);
    },
  );

  test.each([
    '[1,2,{"__proto__":{"a":[1,2,3]}}]',
    '{"a":[1,2,3],"__proto__":[1,2,3]}',
    '{"a":[[1,2,3],{"b":"\\u0000"}],"c":1}',
    '{"a":[[1,2,3],{"b\\u0000":[1]}],"c":1}',
    '{"a":[[1,2,3],{"b":[1e999]}],"c":1}',
    `${"[".repeat(70)}1${"]".repeat(70)}`,
    '{"a":[1,2,3],"a":[4,5,6]}',
    "[       ]",
    "{       }",
    "[[1,2,3],]",
    "[,[1,2,3]]",
    '{"a":[1,2,3],}',
    '{"a" [1,2,3]}',
    "{a:[1,2,3]}",
    "[1,2,3}",
    "[1,2,3]]",
    "[[1,2,3]",
    "[1,2,3]1",
    " [1,2,3] ",
    "",
  ])("is said to be wrong in the same words: %s", async (text) => {
    for (const size of [1, 4, 8]) {
      const [pieces, whole] = await bothOf(text, size);
      expect(pieces).toEqual(whole);
    }
  });
});

test("lets others go on while it reads ten megabytes", async () => {
  const values = Array.from({ length: 400_000 }, (_, i) => ({ place: i }));
  const bytes = Buffer.from(JSON.stringify({ unread: values }));
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  await readLargeJson(bytes);
  clearInterval(others);
  // Some 200 ms of work, in slices of 4.
  expect(turns).toBeGreaterThan(5);
});
