interface Listed<Row> {
  data: readonly Row[];
  total: number;
  total_estimated?: true;
  has_more?: boolean;
}

/** A list of the API's, walked by cursor: it says whether more follow behind the first page only, where its total tells. */
export const sliceOf = <Row>({ data, total, total_estimated, has_more }: Listed<Row>) => ({
  data,
  total,
  ...(total_estimated && { total_estimated }),
  has_more: has_more ?? total > data.length,
});

/** Conditions of a list as its address says them: `filters[name][conditions][$contains][0]=…`; null where there is none. */
export function filtersOf(
  conditions: Readonly<Record<string, readonly [operator: string, value: string | undefined]>>,
) {
  const given = Object.entries(conditions).flatMap(([field, [operator, value]]) =>
    value === undefined ? [] : [[field, { conditions: { [operator]: [value] } }] as const],
  );
  // The document has no name for what stands in it.
  return given.length === 0 ? undefined : (Object.fromEntries(given) as unknown as Record<string, never>);
}
