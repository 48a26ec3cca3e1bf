import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { createLog } from "../../log.js";
import { createMetrics } from "../../metrics.js";
import { createApp } from "../app.js";
import { addUploadRoutes, file_bytes_max, readUpload } from "./uploads.js";

const app = await createApp({
  log: createLog("silent"),
  metrics: createMetrics(),
  check_responses: false,
  path_words: {},
});
const takings: Record<string, (content: Readable) => Promise<unknown>> = {
  async all(content) {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: hash.digest("hex") };
  },
  nothing: async () => "not read",
  beginning: async (content) => {
    for await (const chunk of content) return typeof chunk;
    return "empty";
  },
  failing: async () => {
    throw new Error("the database is away");
  },
};
addUploadRoutes(app, (uploads) => {
  uploads.post("/v1/files/:how", async (request) => {
    const { how } = request.params as { how: string };
    return readUpload(request, takings[how] ?? takings.nothing!);
  });
});
app.post("/v1/others", async () => ({}));
const url = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => app.close());

const fileOf = (bytes: number | string | Buffer<ArrayBuffer>) =>
  new Blob([typeof bytes === "number" ? Buffer.alloc(bytes, "x") : bytes]);

type Part = [name: string, value: string | Blob];
function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

async function send(how: string, body: FormData | string | undefined, type?: string) {
  const headers: Record<string, string> = type ? { "content-type": type } : {};
  const response = await fetch(`${url}/v1/files/${how}`, { method: "POST", body: body ?? null, headers });
  return { status: response.status, body: (await response.json()) as { details?: string; taken?: unknown } };
}

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const invalid = (details: string) => ({ status: 400, body: { code: 400, key: "invalid_payload", details } });

describe("a file in a form", () => {
  test("is given on as it is, with the fields before and behind it", async () => {
    const content = "Code,Shop\nA,North\n";
    const answer = await send(
      "all",
      formOf([
        ["webhooks_enable", "true"],
        ["file", fileOf(content)],
        ["note", "from the till"],
      ]),
    );
    expect(answer).toEqual({
      status: 200,
      body: {
        taken: { bytes: content.length, sha256: sha256(content) },
        fields: { webhooks_enable: "true", note: "from the till" },
      },
    });
  });

  test("may be empty", async () => {
    expect(await send("all", formOf([["file", fileOf(0)]]))).toMatchObject({
      status: 200,
      body: { taken: { bytes: 0 } },
    });
  });

  test("of 10 MiB is taken, and one byte more is too large", async () => {
    const largest = await send("all", formOf([["file", fileOf(file_bytes_max)]]));
    expect(largest).toMatchObject({ status: 200, body: { taken: { bytes: file_bytes_max } } });
    for (const how of ["all", "nothing", "beginning"]) {
      expect(await send(how, formOf([["file", fileOf(file_bytes_max + 1)]])), how).toEqual({
        status: 413,
        body: {
          statusCode: 413,
          error: "Request Entity Too Large",
          message: "Payload content length greater than maximum allowed: 10485760",
        },
      });
    }
  });

  test.each(["nothing", "beginning"])("of which %s is read keeps no field behind it from being read", async (how) => {
    const parts: Part[] = [
      ["file", fileOf(300_000)],
      ["note", "behind"],
    ];
    expect(await send(how, formOf(parts))).toMatchObject({ status: 200, body: { fields: { note: "behind" } } });
  });

  test("that could not be taken fails with that reason, not with one of the sender's", async () => {
    expect(await send("failing", formOf([["file", fileOf("x")]]))).toMatchObject({ status: 500 });
    expect(await send("failing", formOf([["file", fileOf(300_000)]]))).toMatchObject({ status: 500 });
  });
});

describe("a form is refused by name", () => {
  const file: Part = ["file", fileOf("x")];
  const fields = (count: number): Part[] => Array.from({ length: count }, (_, i) => [`field${i}`, "x"]);

  test.each<[string, Part[], string]>([
    ["without a file", [["note", "x"]], "Payload should have required property 'file'"],
    ["with a file of another name", [["csv", fileOf("x")]], "Payload should have required property 'file'"],
    ["with two files", [file, file], "Payload must not have more than 1 file"],
    ["with eleven fields", [...fields(11), file], "Payload must not have more than 10 fields"],
    ["with eleven fields behind the file", [file, ...fields(11)], "Payload must not have more than 10 fields"],
    ["with a field too long", [["note", "x".repeat(1_025)], file], "Property .note must not be longer than 1024 bytes"],
    ["with a field sent twice", [["note", "x"], ["note", "y"], file], "Property .note must be sent once"],
    [
      "with a field named toString",
      [["toString", "x"], file],
      "Payload must not have a field named like a property of every object",
    ],
    [
      "with text that cannot be stored",
      [["note", "a\u0000b"], file],
      "Property .note contains characters that cannot be stored",
    ],
  ])("%s", async (_, parts, details) => {
    expect(await send("all", formOf(parts))).toMatchObject(invalid(details));
  });

  test("not with ten fields, the longest as long as they may be", async () => {
    const parts: Part[] = [...fields(9), ["note", "x".repeat(1_024)], file];
    expect(await send("all", formOf(parts))).toMatchObject({ status: 200 });
  });

  test.each([
    ["cut off in the file", '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nCode,Sh'],
    ["cut off in a field", '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nx'],
    ["of no parts", "Code,Shop"],
  ])("when it is %s", async (_, body) => {
    const answer = await send("all", body, "multipart/form-data; boundary=b");
    expect(answer).toMatchObject(invalid("Payload cannot be read as multipart/form-data"));
  });

  test("when it names no boundary", async () => {
    const answer = await send("all", "x", "multipart/form-data");
    expect(answer).toMatchObject(invalid("Payload cannot be read as multipart/form-data"));
  });
});

describe("an operation that takes files", () => {
  test("takes nothing else", async () => {
    expect(await send("all", "{}", "application/json")).toMatchObject({ status: 415 });
    expect(await send("all", undefined)).toMatchObject(invalid("Payload should have required property 'file'"));
  });

  test("leaves the others refusing them", async () => {
    const body = formOf([["file", fileOf("x")]]);
    expect((await fetch(`${url}/v1/others`, { method: "POST", body })).status).toBe(415);
  });
});
