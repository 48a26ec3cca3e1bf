import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { form_type, formOf, importsOn } from "./import.fixtures.js";
import { refused_told_max } from "./import.js";
import { keepRows } from "./upload.js";

const service = await startService();
const { api, project, context, clock, runDue } = service;
const { send, ended, pieces } = importsOn(service);

const path = "/v1/vouchers/importCSV";
const header = "Code,Voucher Type,Value\n";
const refused = async (file: string | Uint8Array | null, status = 400) =>
  (await send(api, path, file, { status })).body;
const imported = async (file: string | Uint8Array) => ended(project, await send(api, path, file, { status: 202 }));
const nothingIsKept = () => expect.poll(() => pieces(project)).toBe(0);

describe("a file is refused as a whole", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["when it is empty", "", "has no header"],
    ["when it is compressed", gzipSync(`${header}A,GIFT_VOUCHER,1`), "is compressed: send the text itself"],
    ["when it is UTF-16", Buffer.from(`\ufeff${header}`, "utf16le"), "is UTF-16: save it as UTF-8"],
    [
      "when it is a picture",
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
      "has a column without a name, or with one that cannot be stored",
    ],
    [
      "when it has 65,536 columns",
      Array.from({ length: 65_536 }, (_, i) => `c${i}`).join(),
      "has a header that is too large",
    ],
    ["when it has 1,025 columns", Array.from({ length: 1_025 }, (_, i) => i).join(), "has more than 1024 columns"],
    ["when it has no column of codes", "Name,Value\nA,1", "has no column 'code'"],
    ["when it is separated otherwise", "Code;Value\nA;1", "has no column 'code': are its columns separated by commas?"],
    ["when two columns mean one thing", "Code,CODE\nA,B", "has two columns named 'CODE'"],
    ["when it is one line of ten megabytes", "x".repeat(10_485_760), "has a header that is too large"],
  ])("%s", async (_, file, what) => {
    expect(await refused(file)).toMatchObject({ key: "invalid_payload", details: `Property .file ${what}` });
    await nothingIsKept();
  });

  test("when it has more rows than an import may have", async () => {
    const csv = { columns: ["code"], required: ["code"], metadata: "voucher", shape: {}, bodyOf: () => ({}) } as const;
    const writer = { async add() {}, async flush() {} };
    const kept = (rows: number) =>
      keepRows(
        { project: {} as never },
        { csv, told_by: null },
        writer,
        Readable.from([Buffer.from(`Code\n${"a\n".repeat(rows)}`)]),
        3,
      );
    expect(await kept(3)).toEqual({ count: 3, columns: ["Code"] });
    await expect(kept(4)).rejects.toThrow("Property .file has more than 3 rows");
  });

  test("when it is larger than 10 MB, though all of its rows came before", async () => {
    const file = `${header}A,GIFT_VOUCHER,1\n${"B".repeat(10_485_760)}`;
    expect(await refused(file, 413)).toMatchObject({ statusCode: 413 });
    await nothingIsKept();
  });

  test("when it is missing, is not the part `file`, or is no form", async () => {
    const missing = { key: "invalid_payload", details: "Payload should have required property 'file'" };
    expect(await refused(null)).toMatchObject(missing);
    const raw = formOf(header).toString().replace('name="file"', 'name="rows"');
    expect(
      (await api.send("POST", path, { raw, headers: { "content-type": form_type }, status: 400 })).body,
    ).toMatchObject(missing);
    await api.send("POST", path, { raw: header, headers: { "content-type": "text/csv" }, status: 415 });
    await api.post(path, [], 415);
    const packed = gzipSync(formOf(header));
    await api.send("POST", path, {
      raw: packed,
      headers: { "content-type": form_type, "content-encoding": "gzip" },
      status: 400,
    });
    await nothingIsKept();
  });
});

describe("a row is refused, and the others are taken,", () => {
  test("with bytes that are not UTF-8, another number of cells, too much in it, or no end", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${header}A-1,GIFT_VOUCHER,1\n`),
      Buffer.from([0x41, 0xc3, 0x28, 0x2c, 0x2c, 0x0a]),
      Buffer.from("A-3\nA-4,GIFT_VOUCHER,1,1\n"),
      Buffer.from(`${"C".repeat(20_000)},GIFT_VOUCHER,1\n${"D".repeat(300)},GIFT_VOUCHER,1\n`),
      Buffer.from(`A-7,GIFT_VOUCHER,2\n"A-8,GIFT_VOUCHER,3\nA-9,GIFT_VOUCHER,4`),
    ]);
    const { result } = await imported(bytes);
    expect(result).toMatchObject({ done_count: 2, failed_count: 6 });
    expect(result.failed.map(({ row, reason }: { row: number; reason: string }) => [row, reason])).toEqual([
      [2, "Row 2 has in column 'Code' characters that cannot be stored"],
      [3, "Row 3 has 1 cells where the header has 3"],
      [4, "Row 4 has 4 cells where the header has 3"],
      [5, "Row 5 has in column 'Code' more than 16384 characters"],
      [6, "Property .code must NOT have more than 255 characters"],
      [8, "Row 8 has no end: is a quote not closed?"],
    ]);
    await api.get("/v1/vouchers/A-7", 200);
  });

  test("told by its code wherever that stood in it, however many cells came after it", async () => {
    const rows = ["A-1", "A-2,GIFT_VOUCHER,1,1", "A-3,\ufffd,1", `A-4,GIFT_VOUCHER,${"1".repeat(20_000)}`, "\ufffd,,"];
    const { result } = await imported(`${header}${rows.join("\n")}\n`);
    expect(result.failed).toEqual([
      { code: "A-1", row: 1, reason: "Row 1 has 1 cells where the header has 3" },
      { code: "A-2", row: 2, reason: "Row 2 has 4 cells where the header has 3" },
      { code: "A-3", row: 3, reason: "Row 3 has in column 'Voucher Type' characters that cannot be stored" },
      { code: "A-4", row: 4, reason: "Row 4 has in column 'Value' more than 16384 characters" },
      { code: "", row: 5, reason: "Row 5 has in column 'Code' characters that cannot be stored" },
    ]);
  });

  test("told without its code where the row ends before that column", async () => {
    const { result } = await imported("Voucher Type,Value,Code\nGIFT_VOUCHER\n");
    expect(result.failed).toEqual([{ code: "", row: 1, reason: "Row 1 has 1 cells where the header has 3" }]);
  });

  test("whatever line ends, marks, quotes and empty lines the file has", async () => {
    const text = '\ufeff"Code","Voucher Type",Value\r\n\r\nQ-1,GIFT_VOUCHER,1\r"Q,""2""",GIFT_VOUCHER,1\n\n';
    expect((await imported(text)).result).toMatchObject({ done_count: 2, failed_count: 0 });
    await api.get(`/v1/vouchers/${encodeURIComponent('Q,"2"')}`, 200);
  });

  test("and of thousands the first are told, while all are counted", async () => {
    const { result } = await imported(`${header}${"X,,\n".repeat(refused_told_max + 500)}`);
    expect(result.failed).toHaveLength(refused_told_max);
    expect(result.failed_count).toBe(refused_told_max + 500);
  });
});

test("a header alone imports nothing, and says so", async () => {
  const { status, result } = await imported(header);
  expect(status).toBe("DONE");
  expect(result.message).toBe("0 voucher(s) imported successfully, 0 failed.");
});

test("a file with an Idempotency-Key is imported once, and another file with it is refused", async () => {
  const headers = { "idempotency-key": "the-file" };
  const first = await send(api, path, `${header}K-1,GIFT_VOUCHER,1`, { headers, status: 202 });
  const again = await send(api, path, `${header}K-1,GIFT_VOUCHER,1`, { headers, status: 202 });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const other = await send(api, path, `${header}K-2,GIFT_VOUCHER,1`, { headers, status: 422 });
  expect(other.body.key).toBe("idempotency_key_reused");
  await expect.poll(() => pieces(project)).toBe(1);
  expect((await ended(project, first)).result.done_count).toBe(1);
});

test("rows that no import takes up are purged after an hour, and those of one that waits are not", async () => {
  const other = await service.anotherProject();
  const waiting = await send(other.api, path, `${header}W-1,GIFT_VOUCHER,1`, { status: 202 });
  await context.db.run(sql`
    insert into import_pieces (project_id, import_id, last_row, content, created_at)
    select import_pieces.project_id, 'aa_abandoned', 1, import_pieces.content, import_pieces.created_at
      from import_pieces where import_pieces.project_id = ${other.id}`);
  const { schedules } = await import("./index.js");
  clock.advance({ hours: 2 });
  await schedules[0]?.runDue({ ...context } as never, clock.now(), [other.id]);
  expect(await pieces(other)).toBe(1);
  await runDue();
  expect((await ended(other, waiting)).result.done_count).toBe(1);
});
