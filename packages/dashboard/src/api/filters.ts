/** The values of a list's address: texts by name, whatever else stands there is dropped. */
export const valuesOf =
  <const Name extends string>(names: readonly Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        const is_value = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
        return is_value && String(value) !== "" ? [[name, String(value)]] : [];
      }),
    ) as Partial<Record<Name, string>>;

/** The values of a list's address: its filters, order and page, and beside them how it is shown. */
export const listOf = <const Name extends string>(names: readonly Name[]) => valuesOf([...names, "columns", "view"]);

/** What of a list's address the service is asked for: neither which columns it shows nor whose view it is. */
export const askedBy = <Search extends { columns?: string; view?: string }>({
  columns: _columns,
  view: _view,
  ...asked
}: Search) => asked;

/** A path of our own pages and nothing else: no link of ours leads to another site. */
export const ownPath = (value: unknown): string | undefined =>
  typeof value === "string" && /^\/(?![/\\])/.test(value) ? value : undefined;
