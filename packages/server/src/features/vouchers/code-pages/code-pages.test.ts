import { describe, expect, test } from "vitest";
import { startService, type TestProject } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";
import { startWalks, walkOn } from "../../../walks/index.js";
import { paging } from "./code-page.schedules.js";

const service = await startService();
const { clock, context } = service;
const { db } = context;

const discount = { type: "AMOUNT", amount_off: 1000 };
const make = ({ api }: TestProject, code: string) => api.post(`/v1/vouchers/${code}`, { discount }, 200);

async function found({ api }: TestProject, part: string, operator = "$contains", more = "") {
  const { body } = await api.get(
    `/v1/vouchers?limit=100&filters[code][conditions][${operator}]=${encodeURIComponent(part)}${more}`,
    200,
  );
  return (body.vouchers as { code: string }[]).map(({ code }) => code).sort();
}

/** The codes of each page, in the order in which the pages were made. */
async function pagesOf({ id }: TestProject) {
  const rows = await db.many<{ codes: number; keys: string }>(sql`
    select code_pages.codes, code_pages.keys from code_pages
     where code_pages.project_id = ${id} order by code_pages.page`);
  return rows.map(({ codes, keys }) => {
    const listed = keys.split("\n").slice(0, -1);
    expect(listed).toHaveLength(codes);
    return listed;
  });
}

/** Vouchers past the API, by one statement. */
const store = ({ id }: TestProject, prefix: string, count: number, created_at = "2026-01-01") =>
  db.run(sql`
    insert into vouchers (project_id, id, code, code_key, type, metadata, created_at)
    select ${id}, ${`v_${prefix}`} || lpad(number::text, 6, '0'), ${prefix} || number, ${prefix} || number,
           'DISCOUNT_VOUCHER', '{}', ${created_at}::timestamptz + number * interval '1 second'
      from generate_series(1, ${count}::int) as number`);

const forgetPages = ({ id }: TestProject) => db.run(sql`delete from code_pages where code_pages.project_id = ${id}`);

describe("a part of a code", () => {
  test("is found as soon as the voucher is there, and no more when it is gone, packed or not", async () => {
    const project = await service.anotherProject();
    const codes = Array.from({ length: 136 }, (_, i) => `SPRING-${i}`);
    for (const code of codes) {
      await make(project, code);
      expect(await found(project, code.slice(3))).toContain(code);
    }
    expect(await pagesOf(project)).toHaveLength(136);
    await service.runDue();
    expect((await pagesOf(project)).map((page) => page.length).toSorted((a, b) => b - a)).toEqual([64, 64, 8]);
    expect(await found(project, "PRING-1")).toEqual(codes.filter((code) => code.startsWith("SPRING-1")).toSorted());
    await make(project, "LATE-SPRING");
    expect(await found(project, "PRING", "$ends_with")).toEqual(["LATE-SPRING"]);
    const ending = (part: string, without: string[] = []) =>
      codes.filter((code) => code.endsWith(part) && !without.includes(code)).toSorted();
    expect(await found(project, "1", "$ends_with")).toEqual(ending("1"));

    await project.api.delete("/v1/vouchers/SPRING-11", 204);
    await project.api.delete("/v1/vouchers/SPRING-21?force=true", 204);
    expect(await found(project, "1", "$ends_with")).toEqual(ending("1", ["SPRING-11", "SPRING-21"]));
    await make(project, "SPRING-21");
    expect(await found(project, "1", "$ends_with")).toEqual(ending("1", ["SPRING-11"]));
  });

  test("is what it says, whatever it holds, and is compared as the project compares codes", async () => {
    const project = await service.anotherProject();
    for (const code of ["50%", "50_A", "50A", "5\\A", "ÄB"]) await make(project, encodeURIComponent(code));
    expect(await found(project, "0%")).toEqual(["50%"]);
    expect(await found(project, "%", "$ends_with")).toEqual(["50%"]);
    expect(await found(project, "0_")).toEqual(["50_A"]);
    expect(await found(project, "\\")).toEqual(["5\\A"]);
    expect(await found(project, "\n")).toEqual([]);
    expect(await found(project, "")).toHaveLength(5);
    expect(await found(project, "", "$ends_with")).toHaveLength(5);
    expect(await found(project, "A\n5")).toEqual([]);
    expect(await found(project, "A", "$not_contain")).toEqual(["50%", "ÄB"]);
    const or_any = "&filters[id][conditions][$has_value]=&filters[junction]=or";
    expect(await found(project, "B", "$contains", or_any)).toHaveLength(5);
    expect(await found(await service.anotherProject(), "A")).toEqual([]);
    const folding = await service.anotherProject({ case_sensitive_codes: false });
    await make(folding, "Mixed-Case");
    expect(await found(folding, "ED-CA")).toEqual(["Mixed-Case"]);
  });

  test("that more codes hold than lists count is walked in the list's order, and the total is an estimate", async () => {
    const project = await service.anotherProject();
    await store(project, "OLD-", 20_100);
    await store(project, "NEW-", 50, "2026-02-01");
    const isWalked = async () => {
      const { body } = await project.api.get("/v1/vouchers?limit=2&filters[code][conditions][$contains]=LD-", 200);
      expect(body.vouchers.map(({ code }: { code: string }) => code)).toEqual(["OLD-20100", "OLD-20099"]);
      expect(body.total_estimated).toBe(true);
    };
    await isWalked();
    expect(await found(project, "LD-", "$not_contain")).toHaveLength(50);
    expect(await found(project, "LD-2010")).toEqual(["OLD-2010", "OLD-20100"]);
    // So many pages later they are no longer near.
    await store(project, "LATE-", 129 * 64, "2026-03-01");
    await isWalked();
  });
});

describe("a part that hundreds of codes hold", () => {
  /** As what makes vouchers counts them. */
  const counted = ({ id }: TestProject, count: number) =>
    db.run(sql`
      insert into standalone_voucher_counts (project_id, slot, vouchers_count) select ${id}, 0, ${count}::int
          on conflict (project_id, slot) do update set vouchers_count = standalone_voucher_counts.vouchers_count + ${count}::int`);

  async function listed({ api }: TestProject, more = "") {
    const { body } = await api.get(`/v1/vouchers?filters[code][conditions][$contains]=EASON&limit=3${more}`, 200);
    return [body.total, ...body.vouchers.map(({ code }: { code: string }) => code)];
  }

  const stocked = async () => {
    const project = await service.anotherProject();
    await store(project, "SEASON-", 700);
    await store(project, "LATE-SEASON-", 10, "2026-02-01");
    await store(project, "OTHER-", 100, "2026-03-01");
    await counted(project, 810);
    return project;
  };

  test("is counted exactly and shown from either end, without a look at every voucher", async () => {
    const project = await stocked();
    expect(await listed(project)).toEqual([710, "LATE-SEASON-10", "LATE-SEASON-9", "LATE-SEASON-8"]);
    expect(await listed(project, "&page=4")).toEqual([710, "LATE-SEASON-1", "SEASON-700", "SEASON-699"]);
    expect(await listed(project, "&order=created_at")).toEqual([710, "SEASON-1", "SEASON-2", "SEASON-3"]);
    expect(await listed(project, "&order=-code")).toEqual([710, "SEASON-99", "SEASON-98", "SEASON-97"]);
    expect(await listed(project, "&page=99")).toEqual([710, "SEASON-416", "SEASON-415", "SEASON-414"]);
    expect(await listed(project, "&order=created_at&created_at[before]=2026-01-01T00:01:00Z&page=20")).toEqual([
      59,
      "SEASON-58",
      "SEASON-59",
    ]);
    // Who moves the page of the newest behind all others finds them no more: it was not the vouchers that were asked.
    await db.run(sql`
      update code_pages set first_at = '2025-01-01', last_at = '2025-01-01'
       where code_pages.project_id = ${project.id} and code_pages.keys like 'LATE-%'`);
    expect(await listed(project)).toEqual([710, "SEASON-700", "SEASON-699", "SEASON-698"]);
  });

  test("and tens of thousands hold, is shown from either end as well, far as they may be", async () => {
    const project = await service.anotherProject();
    await store(project, "SEASON-", 20_100);
    await store(project, "OTHER-", 3_000, "2026-03-01");
    await store(project, "LAST-SEASON-", 2, "2026-04-01");
    await counted(project, 23_102);
    await project.api.delete("/v1/vouchers/SEASON-20099", 204);
    const listed_from = async (more: string) => (await listed(project, more)).slice(1);
    expect(await listed_from("")).toEqual(["LAST-SEASON-2", "LAST-SEASON-1", "SEASON-20100"]);
    expect(await listed_from("&page=2")).toEqual(["SEASON-20098", "SEASON-20097", "SEASON-20096"]);
    expect(await listed_from("&order=created_at")).toEqual(["SEASON-1", "SEASON-2", "SEASON-3"]);
    expect(await listed_from("&order=created_at&page=99")).toEqual(["SEASON-295", "SEASON-296", "SEASON-297"]);
    expect(await listed_from("&order=code")).toEqual(["LAST-SEASON-1", "LAST-SEASON-2", "SEASON-1"]);
    expect((await listed(project))[0]).toBeGreaterThan(20_000);
  });

  test("is a text, whatever it means elsewhere, and one of several where several are given", async () => {
    const project = await service.anotherProject();
    const odd = [".*", "[A-Z]", "(A|B", "\\d+$", "^{2}?", "***="];
    for (const part of odd) await store(project, `A${part}Z-`, 110);
    await counted(project, odd.length * 110);
    const total = async (...parts: string[]) => {
      const asked = parts.map((part) => `filters[code][conditions][$contains][]=${encodeURIComponent(part)}`);
      return (await project.api.get(`/v1/vouchers?${asked.join("&")}`, 200)).body.total;
    };
    for (const part of odd) expect([part, await total(part)]).toEqual([part, 110]);
    expect(await total(...odd)).toBe(660);
    expect(await total("Z-", "Z-1", ...odd)).toBe(660);
    expect(await total(...odd.slice(1), "x".repeat(1_000))).toBe(550);
  });

  test("leaves out what is in the bin or gone, and counts what was made anew once", async () => {
    const project = await stocked();
    for (const i of [10, 9, 8]) await project.api.delete(`/v1/vouchers/LATE-SEASON-${i}`, 204);
    await project.api.delete("/v1/vouchers/OTHER-1", 204);
    expect(await listed(project)).toEqual([707, "LATE-SEASON-7", "LATE-SEASON-6", "LATE-SEASON-5"]);
    await project.api.delete("/v1/vouchers/LATE-SEASON-7?force=true", 204);
    expect(await listed(project)).toEqual([706, "LATE-SEASON-6", "LATE-SEASON-5", "LATE-SEASON-4"]);
    await make(project, "LATE-SEASON-7");
    expect(await listed(project)).toEqual([707, "LATE-SEASON-7", "LATE-SEASON-6", "LATE-SEASON-5"]);
    clock.advance({ hours: 2 });
    await service.runDue();
    expect(await listed(project)).toEqual([707, "LATE-SEASON-7", "LATE-SEASON-6", "LATE-SEASON-5"]);
    expect(await listed(project, "&order=created_at")).toEqual([707, "SEASON-1", "SEASON-2", "SEASON-3"]);
  });
});

describe("pages of codes", () => {
  test("are made of what was there before by a walk, and asked only when it has ended", async () => {
    const project = await service.anotherProject();
    await store(project, "BEFORE-", 100);
    await forgetPages(project);
    const walk = { project_id: project.id, state: { after_id: "" }, due_at: clock.now() };
    await db.transaction((tx) => startWalks(tx, { ...paging, size_max: 60 }, [walk], "begin anew"));
    const look = async () => {
      expect(await found(project, "RE-9")).toHaveLength(11);
      expect(await found(project, "AFTER")).toEqual(["AFTER"]);
    };
    await make(project, "AFTER");
    await look();
    const slice = () => walkOn(context, { ...paging, size_max: 60 }, clock.now(), [project.id]);
    await slice();
    expect(await pagesOf(project)).toHaveLength(2);
    await look();
    while (await slice());
    await look();
    expect(new Set((await pagesOf(project)).flat()).size).toBe(101);
  });

  test("lose what was deleted for good, hours later, and keep what is in the bin", async () => {
    const project = await service.anotherProject();
    await store(project, "GONE-", 40);
    await make(project, "BINNED");
    await project.api.delete("/v1/vouchers/BINNED", 204);
    for (let i = 1; i <= 33; i += 1) await project.api.delete(`/v1/vouchers/GONE-${i}?force=true`, 204);
    await service.runDue();
    expect((await pagesOf(project)).flat()).toHaveLength(41);
    clock.advance({ hours: 2 });
    await service.runDue();
    expect((await pagesOf(project)).flat().sort()).toEqual(
      ["BINNED", ...Array.from({ length: 7 }, (_, i) => `GONE-${i + 34}`)].sort(),
    );
  });

  test("hold a code that was made and deleted again and again once", async () => {
    const project = await service.anotherProject();
    for (let i = 0; i < 33; i += 1) {
      await make(project, "AGAIN");
      await project.api.delete("/v1/vouchers/AGAIN?force=true", 204);
    }
    await service.runDue();
    expect(await pagesOf(project)).toEqual([["AGAIN"]]);
  });

  test("are signed when they are full, and say whether a part can be in them without being read", async () => {
    const project = await service.anotherProject();
    await store(project, "FIRST-", 64);
    await store(project, "\u{1F381}-", 64);
    await make(project, "ALONE");
    const signed = async () => {
      const rows = await db.many<{ is_signed: boolean }>(sql`
        select code_pages.signature is not null as is_signed from code_pages
         where code_pages.project_id = ${project.id} order by code_pages.page`);
      return rows.map(({ is_signed }) => is_signed);
    };
    const look = async () => {
      expect(await found(project, "RST-6")).toEqual([
        "FIRST-6",
        "FIRST-60",
        "FIRST-61",
        "FIRST-62",
        "FIRST-63",
        "FIRST-64",
      ]);
      expect(await found(project, "ST-64", "$ends_with")).toEqual(["FIRST-64"]);
      expect(await found(project, "\u{1F381}-7")).toEqual(["\u{1F381}-7"]);
      expect(await found(project, "LON")).toEqual(["ALONE"]);
      expect(await found(project, "64")).toEqual(["FIRST-64", "\u{1F381}-64"]);
      expect(await found(project, "T-7-")).toEqual([]);
    };
    expect(await signed()).toEqual([false, false, false]);
    await look();
    await service.runDue();
    expect(await signed()).toEqual([true, true, false]);
    await look();
    // A page whose signature has no bit is passed over, whatever it holds: it is asked first.
    await db.run(sql`
      update code_pages set signature = decode(repeat('00', 256), 'hex')
       where code_pages.project_id = ${project.id} and code_pages.signature is not null`);
    expect(await found(project, "RST-6")).toEqual([]);
    expect(await found(project, "LON")).toEqual(["ALONE"]);
  });
});
