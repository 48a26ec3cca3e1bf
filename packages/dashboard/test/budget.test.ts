import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { dist } from "./harness/service.js";

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const bytes_max = 250_000;

test("the first page loads at most 250 kB of script and style, packed", () => {
  const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  const first = new Set<string>();
  const follow = (key: string) => {
    const { file, imports = [], css = [] } = manifest[key] as Chunk;
    if (first.has(file)) return;
    for (const one of [file, ...css]) first.add(one);
    imports.forEach(follow);
  };
  follow("index.html");
  const packed = [...first].map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
  const sum = packed.reduce((a, b) => a + b, 0);
  expect(sum).toBeLessThanOrEqual(bytes_max);
  // It would be less than half if the manifest were read wrong.
  expect(sum).toBeGreaterThan(100_000);
});
