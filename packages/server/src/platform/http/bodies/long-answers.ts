import { KeptOn } from "@guerdon/engine";
import type { FastifyInstance } from "fastify";
import { jsonText, rows_at_once } from "../../lists/written-once.js";
import { slices } from "../../sharing/slices.js";

/** Lists so deep in an answer are written by themselves: lines of the order that a redeemable shows. */
const depth_max = 4;

/** Characters from which on an answer is made bytes piece by piece: as one text it is copied, and made bytes, in a stretch of 20 ms and more. */
const text_max = 262_144;
const piece_chars = 32_768;

/** An answer that is written already. */
class Written {
  constructor(readonly as: string | Buffer) {}
}

/**
 * An answer as it is sent. What `JSON.stringify` makes of it: a generated serialiser would silently drop what a schema forgot (docs/adr/0004).
 * Null is what NoContent describes, also where the status would allow a body.
 */
export function serialise(answer: unknown): string {
  // Fastify sends bytes as well, which its type does not know of a serialiser.
  if (answer instanceof Written) return answer.as as string;
  return answer === null ? "" : (textAhead(answer) ?? jsonText(answer));
}

const written_ahead = new KeptOn<object, string>();

/** Of an answer that is none there is none: of a 204, or a text. */
const textAhead = (answer: unknown): string | undefined =>
  typeof answer === "object" && answer !== null ? written_ahead.of(answer) : undefined;

/** The answer, whose text is made before it is asked for, where it is not written row by row. Nothing may change in it from now on. */
export function writtenAhead<Answer>(answer: Answer): Answer {
  if (typeof answer === "object" && answer !== null && !isLong(answer)) written_ahead.keep(answer, jsonText(answer));
  return answer;
}

/** Has the long lists of an answer written row by row, and lets others go on meanwhile: a hundred rows of 64 KB take the thread for 40 ms. */
export function writeLongAnswersInSlices(app: Pick<FastifyInstance, "addHook">): void {
  app.addHook("preSerialization", (_request, _reply, payload, done) => {
    if (textAhead(payload) !== undefined || !isLong(payload)) return done(null, payload);
    writeInSlices(payload).then((written) => done(null, new Written(written)), done);
  });
}

/** Whether there is a long list in it, near enough to its root that it is written by itself. */
const isLong = (value: unknown, depth = 0): value is object =>
  typeof value === "object" && value !== null && holdsLongList(value, depth) && !("toJSON" in value);

/** Every answer is gone through: without lists made of its members, and asking last what is seldom so, it takes an eighth of the time. */
function holdsLongList(value: object, depth: number): boolean {
  if (Array.isArray(value) && value.length > rows_at_once) return true;
  if (depth === depth_max) return false;
  if (Array.isArray(value)) return value.some((member) => isLong(member, depth + 1));
  for (const key in value) if (isLong(value[key as keyof typeof value], depth + 1)) return true;
  return false;
}

/** The same text that `JSON.stringify` makes; a large one in UTF-8. */
export async function writeInSlices(answer: object): Promise<string | Buffer> {
  const writing: Writing = { pieces: [], text: "", pause: slices() };
  await write(writing, answer, 0);
  const pieces = [...writing.pieces, writing.text];
  if (pieces.reduce((sum, { length }) => sum + length, 0) < text_max) return pieces.join("");
  const bytes: Buffer[] = [];
  for (const piece of pieces) {
    bytes.push(Buffer.from(piece));
    await writing.pause();
  }
  return Buffer.concat(bytes);
}

/** What is written so far: whole pieces, as few as they may be, and the one that is being written. */
interface Writing {
  readonly pieces: string[];
  text: string;
  readonly pause: () => Promise<void> | undefined;
}

async function write(writing: Writing, value: object, depth: number): Promise<void> {
  const is_list = Array.isArray(value);
  let parting = is_list ? "[" : "{";
  for (const key of Object.keys(value)) {
    const member: unknown = value[key as keyof typeof value];
    const is_long = isLong(member, depth + 1);
    const text = is_long ? "" : (jsonText(member) ?? (is_list ? "null" : undefined));
    if (text === undefined) continue;
    writing.text += is_list ? parting : `${parting}${JSON.stringify(key)}:`;
    parting = ",";
    if (is_long) await write(writing, member, depth + 1);
    else add(writing, text);
    await writing.pause();
  }
  writing.text += `${parting === "," ? "" : parting}${is_list ? "]" : "}"}`;
}

function add(writing: Writing, text: string): void {
  writing.text += text;
  if (writing.text.length < piece_chars) return;
  writing.pieces.push(writing.text);
  writing.text = "";
}
