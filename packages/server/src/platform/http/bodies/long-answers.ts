import type { FastifyInstance } from "fastify";
import { slices } from "../../sharing/slices.js";

/** Rows of an answer that are written at once, whatever they hold: ten with the most metadata that one may have take 4 ms. */
const rows_at_once = 10;

/** An answer whose text is there already. */
class Written {
  constructor(readonly text: string) {}
}

/**
 * The text of an answer. Plain `JSON.stringify`: a generated serialiser would silently drop what a schema forgot (docs/adr/0004). Null is
 * what NoContent describes, also where the status would allow a body.
 */
export function serialise(answer: unknown): string {
  if (answer instanceof Written) return answer.text;
  return answer === null ? "" : JSON.stringify(answer);
}

/** Has the lists of an answer written row by row, and lets others go on meanwhile: a hundred rows of 64 KB take the thread for 40 ms. */
export function writeLongAnswersInSlices(app: Pick<FastifyInstance, "addHook">): void {
  app.addHook("preSerialization", (_request, _reply, payload, done) => {
    if (!isLong(payload)) return done(null, payload);
    writeInSlices(payload).then((text) => done(null, new Written(text)), done);
  });
}

const isLong = (answer: unknown): answer is object =>
  typeof answer === "object" && answer !== null && !Array.isArray(answer) && Object.values(answer).some(isLongList);

const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > rows_at_once;

/** The same text that `JSON.stringify` makes. */
export async function writeInSlices(answer: object): Promise<string> {
  const pause = slices();
  const members: string[] = [];
  for (const [key, value] of Object.entries(answer)) {
    const text = isLongList(value) ? await writeList(value, pause) : JSON.stringify(value);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}

async function writeList(values: unknown[], pause: ReturnType<typeof slices>): Promise<string> {
  const rows: string[] = [];
  for (const value of values) {
    rows.push(JSON.stringify(value) ?? "null");
    await pause();
  }
  return `[${rows.join(",")}]`;
}
