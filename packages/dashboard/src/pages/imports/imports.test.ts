import { describe, expect, test, vi } from "vitest";
import { CsvReader, separatorIn } from "./csv.js";
import { readHead } from "./head.js";
import { kindOf } from "./kinds.js";
import { guessedTargets, mappingFaults, type Target } from "./mapping.js";
import { readingOf } from "./readings.js";
import { fileToSend } from "./sent-file.js";

const rowsIn = (text: string, cut = text.length) => {
  const reader = new CsvReader(",");
  const rows = [...reader.read(text.slice(0, cut)), ...reader.read(text.slice(cut))].map(({ cells }) => cells);
  const { row } = reader.end();
  return row ? [...rows, row.cells] : rows;
};

describe("rows are read as the service reads them", () => {
  test.each<[string, string, string[][]]>([
    ["quotes hold what separates", 'a,"b,""c""\nd"\n', [["a", 'b,"c"\nd']]],
    ["any line end, and none at the end", "a\r\nb\rc\nd", [["a"], ["b"], ["c"], ["d"]]],
    ["empty lines are none, empty cells are", 'a,b\n\n,\n""', [["a", "b"], ["", ""], [""]]],
    ["a stray quote stands for itself", '5" wide,"a"b', [['5" wide', '"a"b']]],
  ])("%s", (_, text, rows) => {
    // Wherever the text was cut in two.
    for (let cut = 0; cut <= text.length; cut += 1) expect(rowsIn(text, cut), `cut at ${cut}`).toEqual(rows);
  });

  test("the separator is what stands most often in the first line, outside of quotes", () => {
    expect(separatorIn('"a,b,c";d;e\n1,2,3,4')).toBe(";");
    expect(separatorIn("Code\nA;B")).toBe(",");
  });
});

describe("a file that nothing can be done with is told in words", () => {
  test.each<[string, BlobPart, RegExp]>([
    ["empty", " \n", /empty/],
    ["compressed", new Uint8Array([0x1f, 0x8b, 8]), /compressed/],
    ["a spreadsheet", new Uint8Array([0x50, 0x4b, 3, 4]), /spreadsheet/],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x41, 0]), /UTF-16/],
    ["Latin letters that are not UTF-8", new Uint8Array([0x4e, 0x0a, 0xfc, 0x0a]), /UTF-8/],
    ["bytes", new Uint8Array([0x41, 0, 0x0a]), /no text/],
    ["65,536 columns", Array.from({ length: 65_536 }, (_, i) => `c${i % 100}`).join(), /does not end|65,536 columns/],
    ["1,025 columns", `${"c,".repeat(1_024)}c\n`, /1,025 columns/],
    ["a quote that is never closed", `"Code${"x".repeat(300_000)}`, /quote/],
    ["names alone", "Code,Value\n", /no rows/],
    ["no names", ",,\n1,2,3", /names no columns/],
    ["11 MB", new Uint8Array(11_534_336), /11\.0 MB/],
  ])("%s", async (_, content, why) => {
    await expect(readHead(new Blob([content]))).rejects.toThrow(why);
  });

  test("letters that are cut at the end of what is read are not wrong", async () => {
    const text = `Name\n${"ü".repeat(200_000)}`;
    for (const lead of ["", "x"]) expect((await readHead(new Blob([lead + text]))).titles).toEqual([`${lead}Name`]);
  });
});

describe("columns", () => {
  const kind = kindOf("vouchers");

  test("are guessed by their names, a field for one column alone", () => {
    const titles = ["Coupon Code", "voucher_type", "Discount", "VALUE", "colour", ""];
    const [code, type, discount, value, colour, unnamed] = guessedTargets(kind, titles);
    expect([code, type, value]).toEqual([{ field: "code" }, { field: "voucher type" }, { field: "value" }]);
    expect([discount, colour, unnamed]).toEqual(["metadata", "metadata", "nothing"]);
  });

  test("are told where two are one, where metadata would be read as a field, and what is missing", () => {
    const targets: Target[] = [{ field: "value" }, { field: "value" }, "metadata", "metadata", "metadata"];
    const faults = mappingFaults(kind, ["a", "b", "Gift Amount", "c", "c"], targets);
    expect(faults.columns.map((fault) => fault !== undefined)).toEqual([false, true, true, false, true]);
    expect(faults.missing).toEqual(["Code", "Voucher type"]);
  });
});

describe("a file is sent", () => {
  const sentOf = async (content: string, sent: (string | null)[]) => {
    const file = new Blob([content]);
    return (await fileToSend(file, await readHead(file), sent)).text();
  };

  test("with other names above rows that nobody has read", async () => {
    const text = vi.spyOn(Blob.prototype, "stream");
    expect(await sentOf('\ufeffNummer,Farbe\r\nA, "rot" \r\n', ["code", "Farbe"])).toBe('code,Farbe\nA, "rot" \r\n');
    expect(text).not.toHaveBeenCalled();
    text.mockRestore();
  });

  test("without the columns that are left out, with commas, and with what is wrong with a row", async () => {
    const content = 'Nummer;Farbe;Preis\nA;"r;o";"1,5"\nB;rot\n \nC;"offen';
    expect(await sentOf(content, ["code", null, "price"])).toBe('code,price\nA,"1,5"\nB\n"C;offen');
  });

  test("with a row that has too few cells as one that has too few or too many", async () => {
    expect(await sentOf("a,b,c\n1,2\n1,2,3\n", ["a", "b", null])).toBe('a,b\n1,2,""\n1,2\n');
  });
});

describe("a cell is shown as it will be stored", () => {
  const project = { money: (minor: number) => `${minor} minor` };
  const of = (cells: Record<string, string>) => (field: string) => cells[field] ?? "";
  test.each<[Parameters<typeof readingOf>[0], string, Record<string, string>, unknown]>([
    ["money", "45", {}, { shown: "4500 minor" }],
    ["money", "45.5", {}, { shown: "4550 minor" }],
    ["money", "45,5", {}, { fault: expect.any(String) }],
    ["value", "10.5", { "discount type": "percent" }, { shown: "10.5" }],
    ["value", "10.5", { "discount type": "UNIT" }, { fault: expect.any(String) }],
    ["value", "10.5", { "voucher type": "GIFT_VOUCHER" }, { shown: "1050 minor" }],
    ["flag", "True", {}, { shown: "Yes" }],
    ["date", "31.12.2027", {}, { fault: expect.any(String) }],
    ["voucher_type", "gift_voucher", {}, { shown: "GIFT_VOUCHER" }],
    ["count", "", {}, { shown: "" }],
  ])("%s %s", (holds, cell, row, reading) => {
    expect(readingOf(holds, cell, of(row), project)).toEqual(reading);
  });
});
