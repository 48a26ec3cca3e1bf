import { Expected } from "./expected.js";

/** What an operator may widen or narrow (docs/bounds.md). Bytes are those of compact JSON in UTF-8. */
export interface Bounds {
  /** Of one metadata object, as sent and as stored: what is merged counts whole. */
  metadata_bytes_max: number;
  /** Of one rule's or filter's definition. */
  rule_bytes_max: number;
  /** Of the lines of one stored order, with what the catalogue knows of their products. */
  order_bytes_max: number;
  /** Asynchronous actions of one project that have not ended. */
  async_actions_max: number;
}

export const default_bounds: Bounds = {
  metadata_bytes_max: 65_536,
  rule_bytes_max: 262_144,
  order_bytes_max: 1_048_576,
  async_actions_max: 1_000,
};

/** Of exported files. */
export interface ExportLimits {
  /** From the request on. */
  days: number;
  /** Of one file. */
  bytes_max: number;
}

export const default_exports: ExportLimits = { days: 30, bytes_max: 2 ** 30 };

// One set a process, and the only setting that is no argument: schemas and columns are made when their modules load, before
// any configuration is read, and ask here each time that they look at something.
let current = default_bounds;

export const bounds = (): Readonly<Bounds> => current;

/** Once, by whoever starts the process. */
export function setBounds({ metadata_bytes_max, rule_bytes_max, order_bytes_max, async_actions_max }: Bounds): void {
  current = { metadata_bytes_max, rule_bytes_max, order_bytes_max, async_actions_max };
}

/** What is said of it, behind the name of the field. */
export const largerThan = (bytes_max: number) => `must not be larger than ${bytes_max} bytes`;

/** A document that would be larger than may be stored; answered as a 400 that names the field. */
export class TooLarge extends Expected {
  constructor(field: string, bytes_max: number) {
    super(`Property .${field} ${largerThan(bytes_max)}`);
  }
}

/** For what a statement has merged: refuses it, and with it the transaction. */
export function assertMetadata(metadata: unknown): void {
  const { metadata_bytes_max } = current;
  if (!isNoLarger(metadata, metadata_bytes_max)) throw new TooLarge("metadata", metadata_bytes_max);
}

/** Whether a JSON value is no larger than so many bytes of compact JSON in UTF-8. */
export function isNoLarger(value: unknown, bytes_max: number): boolean {
  const size = { least: 0, most: 0 };
  measure(value, size, bytes_max);
  if (size.least > bytes_max) return false;
  // Nearly everything ends here: a text is only made of what may be too large.
  return size.most <= bytes_max || Buffer.byteLength(JSON.stringify(value) ?? "") <= bytes_max;
}

/** The longest escape of one UTF-16 unit is \u0000, and the longest number 24 characters. */
const unit_bytes_max = 6;
const number_bytes_max = 25;

function measure(value: unknown, size: { least: number; most: number }, bytes_max: number): void {
  if (size.least > bytes_max) return;
  if (typeof value === "string") {
    size.least += value.length + 2;
    size.most += unit_bytes_max * value.length + 2;
  } else if (typeof value !== "object" || value === null) {
    size.least += 1;
    size.most += number_bytes_max;
  } else if (Array.isArray(value)) {
    size.least += value.length + 1;
    size.most += value.length + 2;
    for (const element of value) measure(element, size, bytes_max);
  } else {
    size.least += 2;
    size.most += 2;
    for (const key in value) {
      // Quotes, colon, comma.
      size.least += key.length + 3;
      size.most += unit_bytes_max * key.length + 4;
      measure((value as Record<string, unknown>)[key], size, bytes_max);
    }
  }
}
