import { t } from "../../text/index.js";
import type { Field, ImportKind } from "./kinds.js";

const words = t.imports;

/** What a column becomes: a field by its name, metadata under the column's own, or nothing. */
export type Target = { field: string } | "metadata" | "nothing";

const compared = (title: string) =>
  title
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, " ");

/** What each column looks like by its name; a field is given to the first of several. */
export function guessedTargets({ fields }: ImportKind, titles: readonly string[]): Target[] {
  const names = titles.map(compared);
  const taken = new Map<number, string>();
  const give = (isMeant: (field: Field, name: string) => boolean) => {
    for (const field of fields) {
      if ([...taken.values()].includes(field.name)) continue;
      const place = names.findIndex((name, i) => !taken.has(i) && isMeant(field, name));
      if (place >= 0) taken.set(place, field.name);
    }
  };
  // Its own name before what others call it.
  give(({ name }, title) => name === title);
  give(({ also = [] }, title) => also.includes(title));
  return names.map((name, place) => {
    const field = taken.get(place);
    return field === undefined ? (name === "" ? "nothing" : "metadata") : { field };
  });
}

export interface Faults {
  /** By the place of the column. */
  columns: (string | undefined)[];
  /** What no column is, though every row needs it. */
  missing: string[];
}

/** What the service would refuse of a choice, before anything is sent. */
export function mappingFaults(kind: ImportKind, titles: readonly string[], targets: readonly Target[]): Faults {
  const reserved = new Set([...kind.fields.map(({ name }) => name), ...(kind.passed_over ?? [])]);
  const seen = new Set<string>();
  const columns = targets.map((target, place) => {
    const title = titles[place] ?? "";
    if (target === "nothing") return undefined;
    if (target === "metadata" && title === "") return words.untitled;
    if (target === "metadata" && reserved.has(compared(title))) return words.reserved;
    const sent = sentTitle(target, title);
    const is_second = seen.has(sent);
    seen.add(sent);
    if (!is_second) return undefined;
    return target === "metadata" ? words.metadata_twice : words.twice(labelOf(target.field));
  });
  const is_there = new Set(targets.flatMap((target) => (typeof target === "object" ? target.field : [])));
  const missing = kind.fields.filter(({ name, is_required }) => is_required && !is_there.has(name));
  return { columns, missing: missing.map(({ name }) => labelOf(name)) };
}

/** What a column is called when it is sent. */
export const sentTitle = (target: Exclude<Target, "nothing">, title: string): string =>
  target === "metadata" ? title : target.field;

export const labelOf = (field: string): string => words.fields[field] ?? field;
