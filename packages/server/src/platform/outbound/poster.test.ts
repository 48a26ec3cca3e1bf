import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Resolve } from "./connector.js";
import { createPoster } from "./poster.js";

/** A server on this machine; it counts connections too, since none may be made to it that is not allowed. */
async function aServer(answer: RequestListener = (_request, response) => void response.end("yes")) {
  let connections = 0;
  const requests: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  }).on("connection", () => (connections += 1));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests, connections: () => connections };
}

function aPoster(options: { allow_private?: boolean; resolve?: Resolve; ms_max?: number } = {}) {
  const poster = createPoster({ allow_private: false, ms_max: 5_000, answer_bytes_max: 100, ...options });
  onTestFinished(() => poster.close());
  return { post: (url: string) => poster.post({ url, headers: { "content-type": "text/plain" }, body: "hello" }) };
}

const standsFor =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("a message to this machine or a private network, unless those are allowed", () => {
  test.each(["127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0"])(
    "never leaves: %s",
    async (host) => {
      const server = await aServer();
      await expect(aPoster().post(`http://${host}:${server.port}/`)).rejects.toThrow(/private or loopback/);
      expect(server.connections()).toBe(0);
    },
  );

  test.each([
    [["127.0.0.1"]],
    [["::ffff:127.0.0.1"]],
    [["::1"]],
    [["10.0.0.1"]],
    [["169.254.169.254"]],
    // One of several is enough.
    [["192.0.2.1", "127.0.0.1"]],
    [["8.8.8.8", "127.0.0.1"]],
    [["127.0.0.1", "8.8.8.8"]],
    [["2606:4700::1111", "::ffff:127.0.0.1"]],
  ])("never leaves for a name that stands for %j", async (addresses) => {
    const server = await aServer();
    const { post } = aPoster({ resolve: standsFor(...addresses) });
    await expect(post(`http://hooks.example:${server.port}/`)).rejects.toThrow(/hooks.example .*private or loopback/);
    expect(server.connections()).toBe(0);
  });

  test("never leaves for a name that stands for another address than was looked at", async () => {
    const server = await aServer();
    let looks = 0;
    const changing = {
      family: 4,
      get address() {
        looks += 1;
        return looks === 1 ? "8.8.8.8" : "127.0.0.1";
      },
    };
    const { post } = aPoster({ resolve: async () => [changing] });
    await expect(post(`http://hooks.example:${server.port}/`)).rejects.toThrow(/private or loopback/);
    expect(server.requests).toEqual([]);
  });

  test("is looked at with each connection", async () => {
    const server = await aServer((_request, response) => void response.setHeader("connection", "close").end());
    const answers = [["127.0.0.1"], ["127.0.0.1"]];
    const seen: string[] = [];
    const resolve: Resolve = async (name) => {
      seen.push(name);
      return standsFor(...(answers.shift() ?? []))(name);
    };
    const { post } = aPoster({ allow_private: true, resolve });
    for (let i = 0; i < 2; i += 1) await post(`http://hooks.example:${server.port}/`);
    expect(seen).toEqual(["hooks.example", "hooks.example"]);
  });
});

describe("where private addresses are allowed", () => {
  test("a message goes to them, by a name of the machine's own too", async () => {
    const server = await aServer();
    const { post } = aPoster({ allow_private: true });
    for (const host of ["127.0.0.1", "localhost"])
      expect(await post(`http://${host}:${server.port}/hooks?a=b`)).toEqual({ status: 200, text: "yes" });
    expect(server.requests).toEqual(["POST /hooks?a=b", "POST /hooks?a=b"]);
  });

  test("a redirect is an answer, and nobody is asked where it leads", async () => {
    const elsewhere = await aServer();
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await aServer((_request, response) => void response.writeHead(status, { location }).end());
      expect(await aPoster({ allow_private: true }).post(`http://127.0.0.1:${server.port}/`)).toMatchObject({ status });
    }
    expect(elsewhere.connections()).toBe(0);
  });
});

describe("an answer", () => {
  const open = { allow_private: true };

  test("is read as far as it is kept, though it never ends", async () => {
    let is_closed = false;
    const server = await aServer((_request, response) => {
      const timer = setInterval(() => response.write("x".repeat(10_000)), 1);
      response.on("close", () => {
        clearInterval(timer);
        is_closed = true;
      });
    });
    const { status, text } = await aPoster(open).post(`http://127.0.0.1:${server.port}/`);
    expect([status, text]).toEqual([200, "x".repeat(100)]);
    await expect.poll(() => is_closed).toBe(true);
  });

  test("counts by its head, though its body does not come in time", async () => {
    const server = await aServer((_request, response) => void response.writeHead(202).write("begun"));
    const { post } = aPoster({ ...open, ms_max: 300 });
    expect(await post(`http://127.0.0.1:${server.port}/`)).toEqual({ status: 202, text: "begun" });
  });

  test("that does not come in time is none", async () => {
    const server = await aServer(() => undefined);
    const { post } = aPoster({ ...open, ms_max: 300 });
    await expect(post(`http://127.0.0.1:${server.port}/`)).rejects.toThrow("no answer within 0.3 s");
  });

  test("nor one that is no HTTP, or has a head without end", async () => {
    const long = await aServer(
      (_request, response) => void response.writeHead(200, { long: "x".repeat(60_000) }).end(),
    );
    await expect(aPoster(open).post(`http://127.0.0.1:${long.port}/`)).rejects.toThrow(/header/i);
    const rude = await aServer((request) => void request.socket.end("nonsense\r\n\r\n"));
    await expect(aPoster(open).post(`http://127.0.0.1:${rude.port}/`)).rejects.toThrow();
  });

  test("of nobody says so", async () => {
    const { post } = aPoster(open);
    await expect(post("http://127.0.0.1:1/")).rejects.toThrow(/ECONNREFUSED/);
    const nowhere = aPoster({ ...open, resolve: standsFor() });
    await expect(nowhere.post("http://hooks.example/")).rejects.toThrow(/no address/);
  });
});
