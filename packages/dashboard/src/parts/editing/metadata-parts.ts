import { objectIn } from "../../api/values.js";
import { keyParts, type Parts } from "./clash.js";

/** Metadata that is typed as JSON and merged by key: each key is a part of its own. */
export const metadataParts = <Form extends { metadata: string }>(label: string): Parts<Form> =>
  keyParts(
    label,
    ({ metadata }) => objectIn(metadata),
    (form, keys) => ({ ...form, metadata: JSON.stringify(keys, null, 2) }),
  );
