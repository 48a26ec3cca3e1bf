import { describe, expect, test } from "vitest";
import { bodyOfBytes, bytes_max, invalidPayload, invalidQuery, malformed, too_large } from "./harness/exact-bodies.js";
import { chunk, head, last_chunk, sendRaw } from "./harness/raw-http.js";
import { startService } from "./harness/service.js";

const { url, api, project } = await startService();
const too_many_values = invalidPayload("Payload must not have more than 1000000 values");
const keys = { "x-app-id": project.app_id, "x-app-token": project.app_token };

describe("a body's type", () => {
  test.each([
    ["application/json", "{}", 200],
    ["application/json; charset=utf-8", "{}", 200],
    ["APPLICATION/JSON", "{}", 200],
    ["text/plain", "{}", 415],
    ["application/x-www-form-urlencoded", "a=1", 415],
    ["application/jsonp", "{}", 415],
    ["application/xml", "<a/>", 415],
  ])("%s: %s is %i", async (type, raw, status) => {
    const { body } = await api.send("POST", "/v1/customers", { raw, headers: { "content-type": type }, status });
    if (status === 415)
      expect(body).toEqual({ code: 415, key: "unsupported_media_type", message: "Unsupported Media Type" });
  });

  test("must be said of a body that is there", async () => {
    const { status } = await sendRaw(url, [head("POST", "/v1/customers", { ...keys, "content-length": "2" }), "{}"]);
    expect(status).toBe(415);
  });

  test("need not be said of an empty one", async () => {
    const { status } = await sendRaw(url, [head("POST", "/v1/customers", { ...keys, "content-length": "0" })]);
    expect(status).toBe(200);
  });

  test("of an empty JSON body is fine too, and an operation without a body accepts {}", async () => {
    await api.send("POST", "/v1/customers", { headers: { "content-type": "application/json" }, status: 200 });
    await api.post("/v1/customers", { source_id: "bodiless" }, 200);
    await api.send("DELETE", "/v1/customers/bodiless", { raw: "{}", status: 204 });
  });
});

describe("a body's size", () => {
  test.each([
    [bytes_max - 1, 400],
    [bytes_max, 400],
    [bytes_max + 1, 413],
  ])("%i bytes announced: %i", async (bytes, status) => {
    const { body } = await api.send("POST", "/v1/customers", { raw: bodyOfBytes(bytes), status });
    expect(body).toEqual(status === 413 ? too_large : invalidPayload("Property .name must be string,null"));
  });

  test.each([
    [bytes_max, 400],
    [bytes_max + 1, 413],
  ])("%i bytes in chunks: %i", async (bytes, status) => {
    const body = bodyOfBytes(bytes);
    const pieces = [body.subarray(0, 65_536), body.subarray(65_536)].flatMap(chunk);
    const headers = { ...keys, "content-type": "application/json", "transfer-encoding": "chunked" };
    const answer = await sendRaw(url, [head("POST", "/v1/customers", headers), ...pieces, last_chunk]);
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toMatchObject({
      status,
      body: status === 413 ? too_large : invalidPayload("Property .name must be string,null"),
    });
  });

  test("far beyond is told to a client that still sends, and its connection goes on", async () => {
    const bytes = 3 * bytes_max;
    const headers = { ...keys, "content-type": "application/json", "content-length": String(bytes) };
    const pieces = Array.from({ length: bytes / 65_536 }, () => Buffer.alloc(65_536, " "));
    const { status, text } = await sendRaw(url, [
      head("POST", "/v1/customers", { ...headers, connection: "keep-alive" }),
      ...pieces,
      head("GET", "/v1/customers?page=1", keys),
    ]);
    expect({ status, next: text.match(/HTTP.*/)?.[0] }).toEqual({ status: 413, next: "HTTP/1.1 200 OK" });
  });
});

describe("a body", () => {
  test.each(["{", "", " ", "{]", '{"a":}', "{'a':1}", '{"a":1}}', "nul", '{"a":01}', '{"a":"\n"}', "NaN", "\ufeff{}"])(
    "%j that is not JSON is malformed",
    async (raw) => {
      const { status, body } = await api.send("POST", "/v1/customers", { raw: raw === "" ? "\t" : raw });
      expect({ status, body }).toEqual({ status: 400, body: malformed });
    },
  );

  test("that is not UTF-8 is malformed", async () => {
    const raw = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect((await api.send("POST", "/v1/customers", { raw, status: 400 })).body).toEqual(malformed);
  });

  test("of a million opening brackets is malformed and harms nothing; of more it is not even read", async () => {
    const answerTo = async (raw: string) => (await api.send("POST", "/v1/customers", { raw, status: 400 })).body;
    expect(await answerTo("[".repeat(999_999))).toEqual(malformed);
    expect(await answerTo("[".repeat(5_000_000))).toEqual(too_many_values);
  });

  test.each([2, 1_200])("that is a list of %i names the row that is wrong", async (rows) => {
    const sent = Array.from({ length: rows }, (_, i) => ({ source_id: `row ${i}`, name: i < rows - 1 ? "right" : 7 }));
    const { body } = await api.post("/v1/customers/bulk/async", sent, 400);
    expect(body).toEqual(invalidPayload(`Property [${rows - 1}].name must be string,null`));
    const { body: missing } = await api.post("/v1/customers/bulk/async", [...sent.slice(0, -1), {}], 400);
    expect(missing).toEqual(invalidPayload(`Property [${rows - 1}] should have required property 'source_id'`));
    await api.post("/v1/customers/bulk/async", sent.slice(0, -1), 202);
  });

  test.each(["null", "[]", "7", '"text"', "true", "[{}]"])("%s is no object", async (raw) => {
    const { body } = await api.send("POST", "/v1/customers", { raw, status: 400 });
    expect(body).toEqual(invalidPayload("Payload must be object"));
  });

  test.each<[string, string, string]>([
    ["U+0000 in a text", '{"name":"a\\u0000b"}', "Property .name contains characters that cannot be stored"],
    ["half a character", '{"name":"a\\ud800b"}', "Property .name contains characters that cannot be stored"],
    [
      "halves the wrong way round",
      '{"name":"\\udc00\\ud800"}',
      "Property .name contains characters that cannot be stored",
    ],
    ["U+0000 in a key", '{"metadata":{"a\\u0000":1}}', "Property .metadata has a property whose name cannot be stored"],
    [
      "U+0000 in a field nobody reads",
      '{"unread":["\\u0000"]}',
      "Property .unread[0] contains characters that cannot be stored",
    ],
    ["a number without end", '{"metadata":{"n":1e999}}', "Property .metadata.n must be a finite number"],
    ["__proto__", '{"metadata":{"__proto__":{"a":1}}}', "Property .metadata must not have the property '__proto__'"],
  ])("with %s is refused by name", async (_, raw, details) => {
    expect((await api.send("POST", "/v1/customers", { raw, status: 400 })).body).toEqual(invalidPayload(details));
  });

  test.each([
    [64, 200],
    [65, 400],
    [5_000, 400],
  ])("%i levels deep: %i", async (levels, status) => {
    // The body and its metadata are two of the levels.
    const raw = `{"metadata":{"deep":${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}}`;
    const { body } = await api.send("POST", "/v1/customers", { raw, status });
    if (status === 400) expect(body).toEqual(invalidPayload(expect.stringMatching(/is nested deeper than 64 levels$/)));
  });

  test.each([
    ["999,990 numbers", `[${"0,".repeat(999_989)}0]`, 200],
    ["a million and more of them", `[${"0,".repeat(1_000_000)}0]`, 400],
    ["600,000 empty objects", `[${"{},".repeat(600_000)}{}]`, 400],
    ["a text of three million commas, quotes and brackets", JSON.stringify(',"{['.repeat(750_000)), 200],
  ])("with %s", async (_, unread, status) => {
    const { body } = await api.send("POST", "/v1/customers", { raw: `{"unread":${unread}}`, status });
    if (status === 400) expect(body).toEqual(too_many_values);
  });

  test.each([
    [20_000, "Property .metadata must not be larger than 65536 bytes"],
    [20_001, "Property .metadata must not have more than 20000 properties"],
  ])("with an object of %i properties", async (properties, details) => {
    const metadata = Object.fromEntries(Array.from({ length: properties }, (_, i) => [`key ${i}`, i]));
    const { body } = await api.post("/v1/customers", { metadata }, 400);
    expect(body).toEqual(invalidPayload(details));
  });

  test.each([
    ["9007199254740991", 200],
    ["9007199254740992", 400],
    ["-9007199254740992", 400],
    ["1e30", 400],
    ["1.5", 400],
    ['"7"', 400],
  ])("says a whole number as %s: %i", async (digits, status) => {
    const { body } = await api.send("POST", "/v1/orders", { raw: `{"amount":${digits}}`, status });
    if (status === 400) expect(body).toEqual(invalidPayload(expect.stringMatching(/^Property \.amount must be /)));
  });

  test("may hold fields that nobody knows: they are passed over and never shown", async () => {
    const { body } = await api.post(
      "/v1/customers",
      { name: "Ann", nonsense: { a: 1 }, created_at: 7, object: "voucher" },
      200,
    );
    expect(body).not.toHaveProperty("nonsense");
    expect(body.object).toBe("customer");
  });
});

describe("a query", () => {
  test.each([
    "created_at[before]=2030-01-01",
    "created_at%5Bbefore%5D=2030-01-01",
    "[created_at][before]=2030-01-01",
    "%5Bcreated_at%5D%5Bbefore%5D=2030-01-01",
    "nonsense=1&more[of][it]=2",
  ])("%s is understood or passed over", async (query) => {
    await api.get(`/v1/customers?${query}`, 200);
  });

  test.each([
    ["limit=1e999", "Property .limit must be <= 100"],
    ["limit=9007199254740993", "Property .limit must be <= 100"],
    ["limit=1&limit=2", "Property .limit must be integer"],
    ["limit[a]=1", "Property .limit must be integer"],
    ["limit=", "Property .limit must be integer"],
    ["email=a%00b", "Property .email contains characters that cannot be stored"],
    [`email=${"x".repeat(9_000)}`, "Property .email must NOT have more than 255 characters"],
    ["order=name", expect.stringMatching(/^Property \.order should be equal to one of the allowed values/)],
    ["created_at=2030-01-01", "Property .created_at must be object"],
  ])("%s is refused by name", async (query, details) => {
    expect((await api.get(`/v1/customers?${query}`, 400)).body).toEqual(invalidQuery(details));
  });
});
