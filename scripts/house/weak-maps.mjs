import ts from "typescript";
import { inSource, isTest, problemsOf } from "./files.mjs";

/** Whose keys live as long as the process or a connection. */
const of_long_lived_keys = {
  "packages/server/src/platform/db/connections/plans.ts": "connections",
  "packages/server/src/platform/db/sql.ts": "the pieces of statements",
  "packages/server/src/platform/db/table.ts": "tables",
  "packages/server/src/platform/http/shapes/named-schemas.ts": "schemas",
};

/** Of an old `WeakMap` all values are copied, and kept, at each collection of young objects, whoever has forgotten their keys (ADR 120). */
export function noWeakMapOfRequests(file) {
  if (!inSource(file) || isTest(file) || file.path.startsWith("packages/dashboard/")) return [];
  if (file.path in of_long_lived_keys) return [];
  return problemsOf(
    file,
    (node) =>
      ts.isNewExpression(node) &&
      node.expression.getText() === "WeakMap" &&
      "Keep it on the object by KeptOn or oncePer of the engine: its values would outlive the request. Keys that stay are named in scripts/house/weak-maps.mjs.",
  );
}
