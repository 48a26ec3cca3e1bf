import type { FastifyInstance } from "fastify";
import qs from "qs";
import { readForm } from "./door.js";

/** For operations that take `application/x-www-form-urlencoded` and nothing else (platform.md §11.4). */
export function acceptOnlyForms(
  app: Pick<FastifyInstance, "addContentTypeParser" | "removeAllContentTypeParsers">,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer" },
    async (_request: unknown, body: Buffer) =>
      readForm(body, (text) => qs.parse(text, { depth: 1, parameterLimit: 100 })),
  );
}
