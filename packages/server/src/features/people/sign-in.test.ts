import { describe, expect, test } from "vitest";
import { uniqueText } from "../../../test/harness/resources.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aUser } from "../management/users/user.fixtures.js";
import { putMember } from "../projects/index.js";
import { hashOfPassword } from "./passwords.js";
import { aBrowser, aLinkOf, aSessionOf, cookieNameOf, someoneIn, tokenIn } from "./people.fixtures.js";
import { putPassword } from "./sign-in.store.js";

const service = await startService();
const { clock, context, project } = service;
const nobody = aBrowser(service, "-");
const password = "correct horse battery";
const wrong = { code: 400, key: "wrong_password", details: "E-mail or password is wrong" };
const unauthorized = { code: 401, key: "unauthorized", message: "Unauthorized" };

/** Somebody who has chosen the password by a link. */
async function aMember(chosen = password) {
  const user = await aUser(service);
  await context.db.transaction((tx) => putMember(tx, project.id, user.id, "USER", clock.now()));
  const answer = await nobody.post(
    "/dashboard/v1/password",
    { token: await aLinkOf(service, user.id), password: chosen },
    204,
  );
  return { user, token: tokenIn(answer) ?? "" };
}
/** Somebody whose password is looked at as it was stored: with a thousandth of the work. */
async function aMemberSoonLookedAt() {
  const { user } = await aMember();
  const hash = await hashOfPassword(password, { N: 64, r: 8, p: 1 });
  await context.db.transaction((tx) => putPassword(tx, user.id, hash, clock.now()));
  return { user };
}
const signIn = (email: string, shown: string, status?: number) =>
  nobody.post("/dashboard/v1/session", { email, password: shown }, status);
const signedIn = async (token: string) => (await aBrowser(service, project.id, token).get("/dashboard/v1/me")).status;

describe("a link", () => {
  test("says whose it is, lets them choose a password once, and signs them in", async () => {
    const user = await aUser(service);
    const token = await aLinkOf(service, user.id);
    const { body } = await nobody.post("/dashboard/v1/links", { token }, 200);
    expect(body).toMatchObject({ email: user.email, first_name: "Ann", is_owner: false });
    const answer = await nobody.post("/dashboard/v1/password", { token, password }, 204);
    expect(await signedIn(tokenIn(answer) ?? "")).toBe(200);
    for (const path of ["links", "password"]) {
      const { body } = await nobody.post(`/dashboard/v1/${path}`, { token, password }, 404);
      expect(body).toMatchObject({ key: "link_is_over" });
    }
  });

  test("is used once, whoever follows it at the same moment", async () => {
    const user = await aUser(service);
    const token = await aLinkOf(service, user.id);
    const answers = await Promise.all(
      ["first password", "second password"].map((chosen) =>
        nobody.post("/dashboard/v1/password", { token, password: chosen }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  test("is over after a day", async () => {
    const user = await aUser(service);
    const token = await aLinkOf(service, user.id);
    clock.advance({ hours: 24 });
    await nobody.post("/dashboard/v1/links", { token }, 404);
    await nobody.post("/dashboard/v1/password", { token, password }, 404);
  });

  test("of somebody who is no owner makes none", async () => {
    const user = await aUser(service);
    const token = await aLinkOf(service, user.id);
    const fields = { token, email: user.email, first_name: "A", last_name: "B", password };
    expect((await nobody.post("/dashboard/v1/owner", fields, 404)).body).toMatchObject({ key: "link_is_over" });
    await nobody.post("/dashboard/v1/links", { token }, 200);
  });

  test("wants a password of twelve characters, and names the field", async () => {
    const token = await aLinkOf(service, (await aUser(service)).id);
    const { body } = await nobody.post("/dashboard/v1/password", { token, password: "elevenchars" }, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining(".password") });
  });

  test("and what it opens are stored as hashes alone", async () => {
    const { user, token } = await aMember();
    const link = await aLinkOf(service, user.id);
    const stored = await context.db.one<{ text: string }>(sql`
      select concat((select json_agg(user_passwords) from user_passwords), (select json_agg(user_links) from user_links),
                    (select json_agg(user_sessions) from user_sessions)) as text`);
    for (const secret of [password, token, link]) {
      expect(stored.text).not.toContain(secret);
      expect(stored.text).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });
});

describe("signing in", () => {
  test("takes e-mail and password, whatever the e-mail's case, and answers a cookie that no script reads", async () => {
    const { user } = await aMember();
    const answer = await signIn(user.email.toUpperCase(), password, 204);
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      new RegExp(`^${cookieNameOf(service)}=[0-9a-f-]{60,}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000$`),
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await signedIn(tokenIn(answer) ?? "")).toBe(200);
  });

  test("says the same of a wrong password, an unknown e-mail and somebody without a password", async () => {
    const [{ user }, without] = [await aMember(), await aUser(service)];
    for (const [email, shown] of [
      [user.email, "another password"],
      [uniqueText("nobody@example.com"), password],
      [without.email, password],
      [user.email, ""],
    ] as const)
      expect((await signIn(email, shown, 400)).body).toMatchObject(wrong);
  });

  test("takes as long for an unknown e-mail as for a wrong password", async () => {
    const { user } = await aMember();
    const timed = async (email: string) => {
      const begun = performance.now();
      await signIn(email, "not the password", 400);
      return performance.now() - begun;
    };
    const [known, unknown] = [await timed(user.email), await timed(uniqueText("nobody@example.com"))];
    // One costs 300 ms and more of scrypt, the other none if it were left out.
    expect(unknown).toBeGreaterThan(known / 4);
  });

  test("is slowed after ten wrong passwords, for this e-mail alone; the right one works a quarter of an hour later", async () => {
    const [{ user }, { user: other }] = [await aMemberSoonLookedAt(), await aMember()];
    const statuses = [];
    for (let i = 0; i < 20; i += 1) statuses.push((await signIn(user.email, `guess number ${i}`)).status);
    expect(statuses).toEqual([...Array(10).fill(400), ...Array(10).fill(429)]);
    const refused = await signIn(user.email, password, 429);
    expect(refused.body).toMatchObject({ key: "too_many_attempts", details: expect.stringContaining("15 minutes") });
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(900);
    await signIn(other.email, password, 204);
    clock.advance({ minutes: 15 });
    await signIn(user.email, password, 204);
    await signIn(user.email, "wrong again", 400);
  }, 60_000);

  test("counts attempts that come at once one after the other", async () => {
    const { user } = await aMemberSoonLookedAt();
    const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => signIn(user.email, `guess number ${i}`)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  }, 60_000);

  test("is refused from another site's page, which could sign a visitor in as somebody else", async () => {
    const { user } = await aMember();
    const raw = JSON.stringify({ email: user.email, password });
    const send = (headers: Record<string, string | null>) =>
      nobody.send("POST", "/dashboard/v1/session", { raw, headers });
    for (const headers of [
      { "x-project-id": null },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: service.url },
      { "sec-fetch-site": null },
      { "sec-fetch-site": null, origin: "https://evil.example" },
    ] as Record<string, string | null>[])
      expect((await send(headers)).body).toMatchObject({ code: 403, key: "forbidden" });
    // A browser that does not say where a call comes from says whose page it is.
    expect((await send({ "sec-fetch-site": null, origin: service.url })).status).toBe(204);
  });
});

describe("a session", () => {
  test("ends when its person signs out", async () => {
    const { browser, token } = await someoneIn(service, project.id, "USER");
    const answer = await browser.delete("/dashboard/v1/session", 204);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await aBrowser(service, project.id, token).get("/dashboard/v1/me", 401)).body).toEqual(unauthorized);
  });

  test("ends twelve hours after its last use, and thirty days after it began", async () => {
    const { token } = await someoneIn(service, project.id, "USER");
    for (let hours = 0; hours < 30 * 24; hours += 11) {
      expect(await signedIn(token), `after ${hours} hours`).toBe(200);
      clock.advance({ hours: 11 });
    }
    expect(await signedIn(token)).toBe(401);
    const { token: idle } = await someoneIn(service, project.id, "USER");
    clock.advance({ hours: 12 });
    expect(await signedIn(idle)).toBe(401);
  });

  test("ends with a new password, in all browsers but the one that chose it", async () => {
    const { user, token } = await aMember();
    const elsewhere = await signIn(user.email, password, 204);
    const own = aBrowser(service, project.id, token);
    const chosen = "another horse battery";
    await own.put("/dashboard/v1/me/password", { current_password: "a wrong password", password: chosen }, 400);
    const answer = await own.put("/dashboard/v1/me/password", { current_password: password, password: chosen }, 204);
    expect(await signedIn(token)).toBe(401);
    expect(await signedIn(tokenIn(elsewhere) ?? "")).toBe(401);
    expect(await signedIn(tokenIn(answer) ?? "")).toBe(200);
    await signIn(user.email, password, 400);
    await signIn(user.email, chosen, 204);
  });

  test("is one of fifty at most: the oldest of more has ended", async () => {
    const { user, token } = await aMember();
    await context.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into user_sessions (token_hash, user_id, created_at, seen_at)
        select sha256(n::text::bytea), ${user.id}, user_sessions.created_at + n * interval '1 second', user_sessions.seen_at
          from user_sessions, generate_series(1, 49) as n where user_sessions.user_id = ${user.id}`);
    });
    expect(await signedIn(token)).toBe(200);
    clock.advance({ minutes: 2 });
    await signIn(user.email, password, 204);
    expect(await signedIn(token)).toBe(401);
  });

  test("tells who one is, and what each of one's roles may do", async () => {
    const { user, browser } = await someoneIn(service, project.id, "VIEWER");
    const other = await service.anotherProject({ name: "Another" });
    await context.db.transaction((tx) => putMember(tx, other.id, user.id, "MERCHANT", clock.now()));
    const { body } = await browser.get("/dashboard/v1/me", 200);
    expect(body).toMatchObject({ id: user.id, email: user.email, is_owner: false });
    expect(body.projects.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [other.id, "MERCHANT"],
      [project.id, "VIEWER"],
    ]);
    const { VIEWER, MERCHANT, ...others } = body.permissions;
    expect(others).toEqual({});
    expect(VIEWER).toEqual(expect.arrayContaining(["vouchers.read", "validations.create", "exports.create"]));
    expect(VIEWER).not.toContain("vouchers.delete");
    expect(MERCHANT).toContain("vouchers.redemption.create");
    expect(MERCHANT).not.toContain("redemptions.create");
  });

  test("gives its person another name", async () => {
    const { browser, user } = await someoneIn(service, project.id, "USER");
    const { body } = await browser.put("/dashboard/v1/me", { first_name: "Bea", last_name: "Moe" }, 200);
    expect(body).toMatchObject({ first_name: "Bea", last_name: "Moe", email: user.email });
    await browser.put("/dashboard/v1/me", { first_name: "", last_name: "Moe" }, 400);
  });
});

test("of two sessions in one browser, each installation knows its own", async () => {
  const { user } = await aMember();
  const token = await aSessionOf(service, user.id);
  const cookie = `guerdon_0000000000000000=${"0".repeat(64)}; ${cookieNameOf(service)}=${token}`;
  const { status } = await nobody.send("GET", "/dashboard/v1/me", { headers: { cookie } });
  expect(status).toBe(200);
});
