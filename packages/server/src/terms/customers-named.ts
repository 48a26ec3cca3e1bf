const customer_ids = /\bcust_[0-9A-Za-z]{10,40}\b/g;

/** The customers whose ids stand in texts. */
export const customersNamedIn = (...texts: readonly (string | null)[]): string[] => [
  ...new Set(texts.flatMap((text) => text?.match(customer_ids) ?? [])),
];
