import type { Answer, Client } from "../../../test/harness/client.js";
import type { TestProject, TestService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";

const boundary = "a-boundary-of-tests";

/** A form with a file in it, as a browser sends it. */
export function formOf(file: string | Uint8Array | null, fields: Record<string, string> = {}): Buffer {
  const head = (more: string) => `--${boundary}\r\ncontent-disposition: form-data; ${more}\r\n\r\n`;
  const parts = Object.entries(fields).map(([name, value]) => Buffer.from(`${head(`name="${name}"`)}${value}\r\n`));
  if (file !== null) {
    const named = 'name="file"; filename="rows.csv"\r\ncontent-type: text/csv';
    parts.push(Buffer.from(head(named)), Buffer.from(file), Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

export const form_type = `multipart/form-data; boundary=${boundary}`;

/** Files that are imported, and what became of them. */
export function importsOn({ context, runDue }: Pick<TestService, "context" | "runDue">) {
  const send = (
    api: Client,
    path: string,
    file: string | Uint8Array | null,
    {
      status,
      fields,
      headers,
    }: { status?: number; fields?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Answer> =>
    api.send("POST", path, {
      raw: formOf(file, fields),
      headers: { "content-type": form_type, ...headers },
      ...(status === undefined ? {} : { status }),
    });
  return {
    send,
    /** What an import that was started has come to. */
    async ended({ api }: Pick<TestProject, "api">, { body }: Answer) {
      await runDue();
      return (await api.get(`/v1/async-actions/${body.async_action_id}`, 200)).body;
    },
    /** How many pieces of the project's rows are kept. */
    async pieces({ id }: Pick<TestProject, "id">): Promise<number> {
      const { count } = await context.db.one<{ count: number }>(
        sql`select count(*) as count from import_pieces where import_pieces.project_id = ${id}`,
      );
      return count;
    },
  };
}
