import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CsvBounds, type CsvRow, openCsv } from "./read.js";
import { type CsvCell, type CsvFormulas, writeCsv } from "./write.js";

/** The rows with their cells as objects, in the order they come. */
async function rowsOf(content: string | Uint8Array, bounds?: CsvBounds, chunk_bytes = 65_536) {
  const bytes = Buffer.from(content);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk_bytes) }, (_, i) =>
    bytes.subarray(i * chunk_bytes, (i + 1) * chunk_bytes),
  );
  const rows: object[] = [];
  const csv = await openCsv(Readable.from(chunks), bounds);
  for await (const row of csv.rows) rows.push(shown(row, csv.columns));
  return rows;
}

/** Without empty cells. */
function shown(row: CsvRow, columns: readonly string[]): object {
  if ("fault" in row) return { row: row.row, fault: row.fault };
  const said = columns.map((column, i) => [column, row.cells[i]]).filter(([, cell]) => cell !== "");
  return { row: row.row, ...Object.fromEntries(said) };
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function textOf(
  titles: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  formulas?: CsvFormulas,
): Promise<string> {
  const chunks = await allOf<Buffer>(writeCsv(titles, rows, formulas));
  return Buffer.concat(chunks).toString();
}

describe("a CSV text is read", () => {
  test.each([
    ["with line feeds", "Code,Shop\nA,North\nB,South\n"],
    ["with carriage returns before them", "Code,Shop\r\nA,North\r\nB,South\r\n"],
    ["with carriage returns alone", "Code,Shop\rA,North\rB,South"],
    ["with all of them mixed", "Code,Shop\r\nA,North\nB,South\r"],
    ["with a byte-order mark", "\ufeffCode,Shop\nA,North\nB,South"],
    ["with a byte-order mark before a quote", '\ufeff"Code","Shop"\n"A","North"\nB,South'],
    ["with empty lines, which are not counted", "\n\nCode,Shop\n\n\nA,North\n  \nB,South\n\n"],
    ["with blanks around the names of columns", " Code ,Shop \nA,North\nB,South"],
  ])("%s, alike however it is cut into chunks", async (_, text) => {
    const expected = [
      { row: 1, Code: "A", Shop: "North" },
      { row: 2, Code: "B", Shop: "South" },
    ];
    for (const chunk_bytes of [1, 2, 3, 65_536]) expect(await rowsOf(text, undefined, chunk_bytes)).toEqual(expected);
  });

  test("with quotes around commas, line ends and quotes, and with stray quotes as they stand", async () => {
    const text = 'Code,Shop\n"A,1","North\nside"\n"say ""B""",5" nail\n';
    expect(await rowsOf(text)).toEqual([
      { row: 1, Code: "A,1", Shop: "North\nside" },
      { row: 2, Code: 'say "B"', Shop: '5" nail' },
    ]);
  });

  test("without its empty cells", async () => {
    expect(await rowsOf("Code,Shop\nA,\n,\n")).toEqual([{ row: 1, Code: "A" }, { row: 2 }]);
  });

  test("from a header alone as no rows, and of names that objects have as cells like others", async () => {
    expect(await rowsOf("Code,Shop")).toEqual([]);
    const { columns, rows } = await openCsv(Readable.from([Buffer.from("__proto__,Code\nx,A")]));
    expect(columns).toEqual(["__proto__", "Code"]);
    expect(await allOf(rows)).toEqual([{ row: 1, cells: ["x", "A"] }]);
  });
});

describe("a faulty row is told by its number while the others go on:", () => {
  const bounds = { columns_max: 4, cell_length_max: 8, row_bytes_max: 20 };
  test.each([
    ["too few cells", "x", "has 1 cells where the header has 2"],
    ["too many cells", "x,y,z", "has 3 cells where the header has 2"],
    ["a cell that is too long", "123456789,y", "has in column 'Code' more than 8 characters"],
    ["a row that is too long", `${"x".repeat(20)},y`, "has more than 20 bytes"],
    ["U+0000", "x,\u0000", "has in column 'Shop' characters that cannot be stored"],
  ])("%s", async (_, faulty, fault) => {
    expect(await rowsOf(`Code,Shop\nA,North\n${faulty}\nB,South\n`, bounds)).toEqual([
      { row: 1, Code: "A", Shop: "North" },
      { row: 2, fault: `Row 2 ${fault}` },
      { row: 3, Code: "B", Shop: "South" },
    ]);
  });

  test("a cell and a row of exactly as much as is allowed are none", async () => {
    expect(await rowsOf("Code,Shop,C\n12345678,12345678,x\n", bounds)).toEqual([
      { row: 1, Code: "12345678", Shop: "12345678", C: "x" },
    ]);
  });

  test("bytes that are not UTF-8", async () => {
    const text = Buffer.concat([Buffer.from("Code\n"), Buffer.from([0xc3, 0x28]), Buffer.from("\nB")]);
    expect(await rowsOf(text)).toEqual([
      { row: 1, fault: "Row 1 has in column 'Code' characters that cannot be stored" },
      { row: 2, Code: "B" },
    ]);
  });

  test("a quote that is never closed is the last, and what comes after is not taken into memory", async () => {
    expect(await rowsOf('Code,Shop\nA,North\n"B,South\nC,East\n', bounds)).toEqual([
      { row: 1, Code: "A", Shop: "North" },
      { row: 2, fault: "Row 2 has no end: is a quote not closed?" },
    ]);
    let asked = 0;
    async function* endless() {
      yield Buffer.from('Code,Shop\nA,North\n"');
      for (; asked < 1_000; asked += 1) yield Buffer.alloc(10, "x");
    }
    const rows = await allOf((await openCsv(Readable.from(endless()), bounds)).rows);
    expect(rows.at(-1)).toEqual({ row: 2, fault: "Row 2 has no end: is a quote not closed?", cells: [] });
    // 80 bytes in tens, and what the stream has read ahead.
    expect(asked).toBeLessThan(40);
  });
});

describe("a text is refused as a whole", () => {
  test.each([
    ["when it is empty", "", "has no header"],
    ["when it holds empty lines alone", "\n\n", "has no header"],
    ["when a column has no name", "Code,,Shop\n", "has a column without a name, or with one that cannot be stored"],
    ["when two columns have one name", "Code,Shop,Code\n", "has two columns named 'Code'"],
    ["when it has too many columns", "a,b,c,d,e\n", "has more than 4 columns"],
    ["when its header is too large", `${"x".repeat(101)},b\n`, "has a header that is too large"],
  ])("%s", async (_, text, fault) => {
    const reading = rowsOf(text, { columns_max: 4, cell_length_max: 200, row_bytes_max: 100 });
    await expect(reading).rejects.toMatchObject({
      status: 400,
      body: { key: "invalid_payload", details: `Property .file ${fault}` },
    });
  });

  test.each([
    ["gzip", [0x1f, 0x8b, 0x08, 0x00], "is compressed: send the text itself"],
    ["a spreadsheet", [0x50, 0x4b, 0x03, 0x04], "is an archive or a spreadsheet: save it as CSV first"],
    ["UTF-16", [0xff, 0xfe, 0x43, 0x00], "is UTF-16: save it as UTF-8"],
  ])("when it is %s, whatever comes after its first bytes", async (_, magic, fault) => {
    const bytes = Buffer.concat([Buffer.from(magic), Buffer.from('\n,"x\ny')]);
    for (const chunk_bytes of [1, 65_536]) {
      await expect(rowsOf(bytes, undefined, chunk_bytes)).rejects.toMatchObject({
        body: { details: `Property .file ${fault}` },
      });
    }
  });

  test("when its stream breaks, with the stream's own error", async () => {
    async function* breaking() {
      yield Buffer.from("Code\nA\n");
      throw new Error("hung up");
    }
    const reading = openCsv(Readable.from(breaking())).then(({ rows }) => allOf(rows));
    await expect(reading).rejects.toThrow("hung up");
  });
});

describe("a CSV text is written", () => {
  test("with a header, quotes where they are needed, true and false in words, lists in one cell, null as nothing", async () => {
    const rows = [
      ["A,1", true, null],
      ['say "B"', false, ["x", 2]],
      ["two\nlines", -0.5, ""],
    ];
    expect(await textOf(["Code", "Active", "Sold, where"], rows)).toBe(
      'Code,Active,"Sold, where"\n"A,1",true,\n"say ""B""",false,"x,2"\n"two\nlines",-0.5,\n',
    );
  });

  test.each(["=1+1", "+1", "-1", "@A1", "\tx", "\rx", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"])(
    "with an apostrophe before %j in a title, a cell or a list, so that no spreadsheet runs it, unless it is to be kept",
    async (formula) => {
      const quoted = (text: string) => (text.includes("\r") ? `"${text}"` : text);
      expect(await textOf([formula], [[formula], [[formula]]])).toBe(`${quoted(`'${formula}`)}\n`.repeat(3));
      expect(await textOf([formula], [[formula], [[formula]]], "keep")).toBe(`${quoted(formula)}\n`.repeat(3));
    },
  );

  test("with numbers as they are, below zero too, and texts that only hold such signs", async () => {
    expect(await textOf(["n"], [[-5], [0], ["a=1"], [" =1"]])).toBe("n\n-5\n0\na=1\n =1\n");
  });

  test("as a header alone when there are no rows", async () => {
    expect(await textOf(["Code", "Shop"], [])).toBe("Code,Shop\n");
  });

  test("no faster than it is read", async () => {
    let asked = 0;
    function* endless() {
      for (; asked < 1_000_000; asked += 1) yield ["x".repeat(1_000)];
    }
    const text = writeCsv(["Code"], endless());
    await text[Symbol.asyncIterator]().next();
    expect(asked).toBeLessThan(1_000);
    text.destroy();
  });

  test("until its rows break, which whoever reads it is told", async () => {
    async function* breaking() {
      yield ["A"];
      throw new Error("the database is away");
    }
    await expect(allOf(writeCsv(["Code"], breaking()))).rejects.toThrow("the database is away");
  });

  test("so that it reads back as the same texts, whatever they are", async () => {
    const cell = fc
      .string({ unit: fc.oneof(fc.constantFrom('"', ",", "\n", "\r", " ", "\ufeff"), fc.string({ unit: "binary" })) })
      .filter((text) => !text.includes("\u0000") && !text.includes("\ufffd"));
    const row = fc.tuple(fc.constant("x"), cell, cell);
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 9 }), async (rows, chunk_bytes) => {
        const text = await textOf(["one", "two", "three"], rows, "keep");
        const expected = rows.map(([one, two, three], i) => ({
          row: i + 1,
          one,
          ...(two ? { two } : {}),
          ...(three ? { three } : {}),
        }));
        expect(await rowsOf(text, undefined, chunk_bytes)).toEqual(expected);
      }),
    );
  });
});
