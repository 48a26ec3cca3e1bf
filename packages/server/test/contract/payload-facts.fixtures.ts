import { readFileSync } from "node:fs";

/**
 * What the contract says of payloads, in `payload-facts.jsonl`: a line a type of event, and one for each shape that several use. Where its text
 * says of a value in so many words what its shape does not (that it may be null, that several are told by a list), the text counts. A kind
 * of value (`?` where it may be null), a list of such, `@` and the name of a shape, one of several, or an object by its properties, with `!`
 * behind what must be there.
 */
type Fact = string | readonly [Fact] | { or: readonly Fact[] } | { readonly [property: string]: Fact };

const lines = readFileSync(new URL("payload-facts.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const facts = lines.map((line) => JSON.parse(line) as { event?: string; shape?: string; is: Fact });
const shapes = new Map(facts.flatMap(({ shape, is }) => (shape === undefined ? [] : [[shape, is] as const])));

/** The payload of each type of event that the contract has a shape for. */
export const event_facts: ReadonlyMap<string, Fact> = new Map(
  facts.flatMap(({ event, is }) => (event === undefined ? [] : [[event, is] as const])),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  flag: (value) => typeof value === "boolean",
  object: isObject,
  null: (value) => value === null,
};

/** Where a value has another kind than the contract says, lacks what must be there, or has what the contract does not know. */
export function departuresFrom(value: unknown, fact: Fact, path = ""): string[] {
  if (typeof fact === "string") return ofKind(value, fact, path);
  if (Array.isArray(fact)) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((one) => departuresFrom(one, (fact as readonly [Fact])[0], `${path}[]`));
  }
  if (isAlternatives(fact)) {
    // What it departs from least is what was meant.
    const meant = fact.or.filter((one) => (one === "null") === (value === null));
    const tried = (meant.length > 0 ? meant : fact.or).map((one) => departuresFrom(value, one, path));
    return tried.reduce((least, one) => (one.length < least.length ? one : least));
  }
  if (!isObject(value)) return [`${path} is no object`];
  return ofProperties(value, fact as Readonly<Record<string, Fact>>, path);
}

const isAlternatives = (fact: object): fact is { or: readonly Fact[] } => "or" in fact && Array.isArray(fact.or);

function ofKind(value: unknown, fact: string, path: string): string[] {
  if (fact.startsWith("@")) return departuresFrom(value, shapes.get(fact.slice(1)) as Fact, path);
  const kind = fact.replace("?", "");
  const fits = (fact.endsWith("?") && value === null) || kinds[kind]?.(value);
  return fits ? [] : [`${path} is ${value === null ? "null" : typeof value}, not ${fact}`];
}

function ofProperties(value: Record<string, unknown>, fact: Readonly<Record<string, Fact>>, path: string): string[] {
  const known = new Map(Object.entries(fact).map(([name, of]) => [name.replace("!", ""), of]));
  const missing = Object.keys(fact).filter((name) => name.endsWith("!") && !(name.slice(0, -1) in value));
  return [
    ...missing.map((name) => `${path}.${name.slice(0, -1)} is missing`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const of = known.get(name);
      if (of === undefined) return [`${path}.${name} is unknown`];
      // Null says that there is none, as absence would.
      return one === null && !(`${name}!` in fact) ? [] : departuresFrom(one, of, `${path}.${name}`);
    }),
  ];
}

/** What is told otherwise, and why; what no payload departs from is found by the test beside it. */
const known_departures: readonly [string, events: RegExp][] = [
  // The contract names in it the distribution that published, and that required: a publication that somebody asked for has none, and is told
  // with the metadata that was sent.
  [".publication.metadata.source_type is missing", /^customer\.publication\./],
  [".publication.metadata.source_id is missing", /^customer\.publication\./],
  [".publication.metadata.distribution_id is missing", /^customer\.publication\./],
  // The books name an order by both of its ids, and a shop need not give it one of its own: every other shape of an order may say so.
  [".transaction.details.order.source_id is null, not text", /pending_points\.activated$/],
];
const used = new Set<string>();
export const unusedDepartures = () => known_departures.flatMap(([one]) => (used.has(one) ? [] : [one]));

/** What stands in a payload that the contract does not say, but for what is known. */
export function strangeIn(name: string, payload: unknown): string[] {
  return departuresFrom(payload, event_facts.get(name) as Fact).filter((departure) => {
    const known = known_departures.find(([one, events]) => one === departure && events.test(name));
    if (known) used.add(known[0]);
    return !known;
  });
}
