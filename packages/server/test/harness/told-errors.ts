import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";

interface Told {
  id: string;
  method: string;
  matches: RegExp;
  /** Fewer are meant rather than more: `/v1/vouchers/import` is no code. */
  placeholders: number;
  errors: ReadonlySet<string>;
}

interface Document {
  paths: Record<
    string,
    Record<string, { operationId: string; "x-errors"?: readonly { status: number; key: string }[] }>
  >;
}

let operations: readonly Told[] | undefined;

/** From here on each refusal in this file stands in the reference, at the operation that answers it. */
export function holdErrorsToReference(): void {
  const file = fileURLToPath(new URL("../../openapi.json", import.meta.url));
  const { paths } = JSON.parse(readFileSync(file, "utf8")) as Document;
  operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, "x-errors": errors = [] }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        matches: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`),
        placeholders: path.split("{").length,
        errors: new Set(errors.map(({ status, key }) => `${status} ${key}`)),
      })),
    )
    .sort((a, b) => a.placeholders - b.placeholders);
  // Files of a run share their modules.
  afterAll(() => {
    operations = undefined;
  });
}

/** Of an answer with an error by key: nothing where nobody asked for it, and where HTTP itself refuses. */
export function assertTold(method: string, path: string, status: number, body: unknown): void {
  const key = typeof body === "object" && body !== null && "key" in body ? body.key : undefined;
  if (!operations || status < 400 || status >= 500 || typeof key !== "string") return;
  const [at = ""] = path.split("?");
  const operation = operations.find((one) => one.method === method && one.matches.test(at));
  if (operation) expect([...operation.errors], `what /docs tells of ${operation.id}`).toContain(`${status} ${key}`);
}
