// Types of the API for the dashboard, from the committed openapi.json. They are not committed themselves: a third of a

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const document = fileURLToPath(new URL("../../packages/server/openapi.json", import.meta.url));
const target = fileURLToPath(new URL("../../packages/dashboard/src/api/schema.d.ts", import.meta.url));

const text = readFileSync(document);
const mark = `// Generated from openapi.json ${createHash("sha256").update(text).digest("hex").slice(0, 16)}; not committed.\n`;
if (!existsSync(target) || !readFileSync(target, "utf8").startsWith(mark)) {
  // Not there where only what the service runs on was installed: then nobody checks types either.
  const generator = await import("openapi-typescript").catch(() => null);
  if (generator) {
    const tree = await generator.default(JSON.parse(text.toString("utf8")));
    writeFileSync(target, mark + generator.astToString(tree));
  }
}
