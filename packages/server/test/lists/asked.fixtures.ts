import type { Client } from "../harness/client.js";
import type { TestProject, TestService } from "../harness/service.js";

/**
 * What must come of a query: those of the three records, by their number in the order in which they were made; what each
 * record of the default answer shows; or a refusal that names the parameter.
 */
export type Expected =
  | readonly number[]
  | { shows: (row: never) => unknown; as: readonly unknown[] }
  | { refused: string };

export const refused = (name: string): Expected => ({ refused: `Property .${name}` });

/** One list with the records that tell its parameters apart. */
export interface AskedList {
  api: Client;
  /** With what the path names in its place. */
  url: string;
  /** Ids, oldest first: made a minute apart from {@link minute} 1 on, the middle one changed at minute 4. */
  made: readonly string[];
  first: readonly number[];
  asked: Readonly<Record<string, Expected>>;
}

export type MakeList = (service: TestService, project: TestProject) => Promise<AskedList>;

export const newest_first = [2, 1, 0] as const;

export const minute = (number: number) => `2026-03-02T10:0${number}:00.000Z`;

export async function atMinutes<Made>({ clock }: TestService, makers: readonly (() => Promise<Made>)[]) {
  const made: Made[] = [];
  for (const [i, make] of makers.entries()) {
    clock.set(minute(i + 1));
    made.push(await make());
  }
  return made as [Made, Made, Made, ...Made[]];
}

/** Three of them, a minute apart. */
export const three = <Made>(service: TestService, make: (number: number) => Promise<Made>) =>
  atMinutes(
    service,
    [0, 1, 2].map((number) => () => make(number)),
  );

export const limited: Record<string, Expected> = {
  "limit=1": [2],
  "limit=0": refused("limit"),
  "limit=101": refused("limit"),
};

export const paged = (page_max: number): Record<string, Expected> => ({
  ...limited,
  "limit=1&page=2": [1],
  [`page=${page_max}`]: [],
  [`page=${page_max + 1}`]: refused("page"),
  "page=0": refused("page"),
});

export const after = (id: string): Record<string, Expected> => ({ [`starting_after_id=${id}`]: [1, 0] });

export const by_creation: Record<string, Expected> = { "order=created_at": [0, 1, 2], "order=-created_at": [2, 1, 0] };

/** Where the middle one was changed last. */
export const by_dates: Record<string, Expected> = {
  ...by_creation,
  "order=updated_at": [0, 2, 1],
  "order=-updated_at": [1, 2, 0],
  "order=length": refused("order"),
};

export const ordered = (name: string, numbers: readonly number[]): Record<string, Expected> => ({
  [`order=${name}`]: numbers,
  [`order=-${name}`]: numbers.toReversed(),
});

export const unordered = (...names: string[]): Record<string, Expected> =>
  Object.fromEntries(names.flatMap((name) => [name, `-${name}`]).map((name) => [`order=${name}`, refused("order")]));

/** Both bounds are outside. */
export const between_created: Record<string, Expected> = {
  [`created_at[after]=${minute(2)}`]: [2],
  [`created_at[before]=${minute(2)}`]: [0],
  "created_at[after]=soon": refused("created_at.after"),
};
export const between_updated: Record<string, Expected> = {
  [`updated_at[after]=${minute(3)}`]: [1],
  [`updated_at[before]=${minute(4)}`]: [],
  [`updated_at[before]=${minute(5)}`]: [1],
};

/** Both bounds are inside. */
export const from_start_to_end: Record<string, Expected> = {
  [`start_date=${minute(2)}`]: [2, 1],
  [`end_date=${minute(2)}`]: [1, 0],
  "end_date=soon": refused("end_date"),
};

export const filter = (field: string, operator: string, value: string | number) =>
  `filters[${field}][conditions][${operator}]=${encodeURIComponent(value)}`;
