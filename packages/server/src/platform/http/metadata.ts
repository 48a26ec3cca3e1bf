import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import { document, metadata_of, named } from "./schema.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What of those objects that have metadata in its body a request always makes; of the rest it may change one. */
    makes?: readonly string[];
    /** Its rows are looked at one by one behind the answer: one that is off its schema is told, and leaves the others. */
    metadata_by_row?: boolean;
    /** Throws what is told of a request rather than that its metadata is off its schema; asked only where it is. */
    before_metadata?: (request: FastifyRequest) => Promise<void>;
    /** Where metadata stands in the body. */
    metadata_places?: readonly MetadataPlace[];
  }
}

/** A place in a body where the metadata of something stands; `[]` is any element of a list. */
export interface MetadataPlace {
  /** To the object around the metadata. */
  steps: readonly string[];
  field: string;
  /** What it is the metadata of. */
  of: string;
}

const known = new Map<string, TSchema>();

/** Metadata as a caller sends it: whatever checks what metadata must look like finds it by what it is of. */
export function metadataOf(object: string) {
  const shape = known.get(object) ?? shapeOf(object);
  known.set(object, shape);
  return shape as ReturnType<typeof shapeOf>;
}

function shapeOf(object: string) {
  const words = object.split("_").map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  const description = `Keys and values of your own, as the metadata schema of \`${object}\` says where there is one.`;
  const shape = document("GUERDON_METADATA_BYTES", { description });
  return named(`${words.join("")}Metadata`, Object.assign(shape, { [metadata_of]: object }));
}

/** Notes for each route where its body has metadata. Call it before named shapes become references. */
export function noteMetadata(app: Pick<FastifyInstance, "addHook">): void {
  app.addHook("onRoute", (route) => {
    const places = metadataPlaces(route.schema?.body);
    if (places.length > 0) route.config = { ...route.config, metadata_places: places };
  });
}

/** The metadata that a body brings, place by place; undefined where it says nothing of it. */
export function* metadataAt(places: readonly MetadataPlace[], body: unknown) {
  for (const place of places) {
    for (const around of objectsAt(body, place.steps)) {
      yield { of: place.of, metadata: around[place.field] as Record<string, unknown> | null | undefined };
    }
  }
}

function* objectsAt(value: unknown, steps: readonly string[]): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  const [step, ...further] = steps;
  if (step === undefined) yield value as Record<string, unknown>;
  else if (step !== "[]") yield* objectsAt((value as Record<string, unknown>)[step], further);
  else if (Array.isArray(value)) for (const element of value) yield* objectsAt(element, further);
}

type Node = Record<string, unknown>;

/** Where the schema of a body has metadata. */
export function metadataPlaces(node: unknown, steps: readonly string[] = []): MetadataPlace[] {
  if (typeof node !== "object" || node === null) return [];
  const {
    properties = {},
    items,
    anyOf = [],
    allOf = [],
  } = node as Record<string, Node> & {
    anyOf?: unknown[];
    allOf?: unknown[];
  };
  const here = Object.entries(properties).flatMap(([field, property]) => {
    const of = ownerOf(property as Node);
    return of === undefined ? metadataPlaces(property, [...steps, field]) : { steps, field, of };
  });
  return [
    ...here,
    ...metadataPlaces(items, [...steps, "[]"]),
    ...[...anyOf, ...allOf].flatMap((part) => metadataPlaces(part, steps)),
  ];
}

function ownerOf(property: Node): string | undefined {
  const alternatives = (property.anyOf ?? []) as Node[];
  return (property[metadata_of] ?? alternatives.map((one) => one[metadata_of]).find(Boolean)) as string | undefined;
}
