import type { StoredEvent } from "../../../events/index.js";

/** What a message says of its event. */
export const dataOf = ({ data }: StoredEvent): unknown => data;
