import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { App } from "../app.js";
import { assertStorable } from "../door.js";
import { Problem, problems } from "../problems.js";

/** Largest file, inclusive (platform.md §11.4). */
export const file_bytes_max = 10_485_760;

const fields_max = 10;
/** Parts that are neither the file nor a field count here alone. */
const parts_max = fields_max + 2;
const field_bytes_max = 1_024;

const file_field = "file";

/** A file that was sent, and the fields beside it. */
interface Upload<Taken> {
  taken: Taken;
  fields: Readonly<Record<string, string>>;
}

/**
 * Adds operations that take a file in a form, `multipart/form-data`, and nothing else (platform.md §11.4). They read it with
 * {@link readUpload}.
 */
export function addUploadRoutes(app: App, addRoutes: (uploads: App) => void): void {
  // A plugin of its own, so that the other operations go on refusing files.
  void app.register((uploads, _options, done) => {
    uploads.removeAllContentTypeParsers();
    void uploads.register(multipart, {
      limits: {
        fileSize: file_bytes_max,
        files: 1,
        fields: fields_max,
        parts: parts_max,
        fieldNameSize: 100,
        fieldSize: field_bytes_max,
        headerPairs: 20,
      },
    });
    void uploads.after(() => addRoutes(uploads as unknown as App));
    done();
  });
}

/**
 * Gives the one file, named `file`, to `take` as it arrives, never whole in memory; answers what `take` made of it and the
 * fields, which may stand before the file or behind it. What breaks a bound is refused by name, also after `take` has had
 * the whole file: nothing it did may hold until this has answered.
 */
export async function readUpload<Taken>(
  request: FastifyRequest,
  take: (content: Readable) => Promise<Taken>,
): Promise<Upload<Taken>> {
  const fields: Record<string, string> = {};
  let taken: { value: Taken } | null = null;
  if (!request.isMultipart()) throw fileMissing();
  try {
    for await (const part of request.parts()) {
      if (part.type === "file") taken = { value: await takeFile(part, take) };
      else addField(fields, part.fieldname, part.value, part.valueTruncated || part.fieldnameTruncated);
    }
  } catch (error) {
    throw refusalOf(error);
  }
  if (taken === null) throw fileMissing();
  assertStorable(fields, problems.invalidPayload);
  return { taken: taken.value, fields };
}

async function takeFile<Taken>({ fieldname, file }: MultipartFile, take: (content: Readable) => Promise<Taken>) {
  if (fieldname !== file_field) throw fileMissing();
  // A stream of its own, so that `take` may stop in the middle: parts behind are read only past the end of this one.
  const content = new PassThrough();
  const arrived = finished(file);
  arrived.catch((error) => content.destroy(error));
  file.pipe(content);
  const taking = await Promise.allSettled([take(content)]);
  file.unpipe(content).resume();
  content.destroy();
  await arrived;
  const [result] = taking;
  if (result.status === "rejected") throw new NotTaken(result.reason);
  return result.value;
}

function addField(fields: Record<string, string>, name: string, value: unknown, is_cut: boolean): void {
  if (is_cut) throw problems.invalidPayload(`Property .${name} must not be longer than ${field_bytes_max} bytes`);
  if (typeof value !== "string") throw problems.invalidPayload(`Property .${name} must be string`);
  if (Object.hasOwn(fields, name)) throw problems.invalidPayload(`Property .${name} must be sent once`);
  fields[name] = value;
}

/** What `take` threw, which is none of the sender's doing. */
class NotTaken extends Error {
  constructor(readonly reason: unknown) {
    super("a file was not taken");
  }
}

/** Whatever else goes wrong while parts are read was sent so. */
function refusalOf(error: unknown): unknown {
  if (error instanceof NotTaken) return error.reason;
  if (error instanceof Problem) return error;
  switch ((error as { code?: unknown }).code) {
    case "FST_REQ_FILE_TOO_LARGE":
      return problems.tooLarge(file_bytes_max);
    case "FST_FILES_LIMIT":
      return problems.invalidPayload("Payload must not have more than 1 file");
    case "FST_FIELDS_LIMIT":
      return problems.invalidPayload(`Payload must not have more than ${fields_max} fields`);
    case "FST_PARTS_LIMIT":
      return problems.invalidPayload(`Payload must not have more than ${parts_max} parts`);
    case "FST_PROTO_VIOLATION":
      return problems.invalidPayload("Payload must not have a field named like a property of every object");
    default:
      return problems.invalidPayload("Payload cannot be read as multipart/form-data");
  }
}

const fileMissing = () => problems.invalidPayload(`Payload should have required property '${file_field}'`);
