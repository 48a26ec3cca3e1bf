import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { aContextApart } from "../../../../test/harness/database.js";
import type { Context } from "../../../platform/context.js";
import { sql } from "../../../platform/db/sql.js";
import { runDue } from "../../../platform/jobs/loop.js";
import { makeFirstProject } from "../../projects/index.js";
import { addMail, works } from "./index.js";

/** As much of a mail server as takes one mail; `refusing` it is busy. */
async function aMailServer() {
  const taken: string[] = [];
  const state = { refusing: false };
  const server = createServer((socket: Socket) => {
    let body: string | undefined;
    socket.write("220 here\r\n");
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      for (const line of chunk.toString().split(/(?<=\r\n)/)) {
        if (body !== undefined) {
          body += line;
          if (!body.endsWith("\r\n.\r\n")) continue;
          taken.push(body);
          body = undefined;
          socket.write("250 taken\r\n");
        } else if (/^DATA/i.test(line)) {
          body = "";
          socket.write("354 go on\r\n");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else socket.write(/^MAIL/i.test(line) && state.refusing ? "451 busy\r\n" : "250 fine\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { taken, state, url: `smtp://127.0.0.1:${port}` };
}

async function aPost(smtp?: { url: string; from: string }) {
  const { context, clock } = await aContextApart();
  const logged: unknown[] = [];
  const log = { ...context.log, info: (...told: unknown[]) => logged.push(told) } as unknown as Context["log"];
  const with_mail: Context = { ...context, log, config: { ...context.config, ...(smtp ? { smtp } : {}) } };
  const { project_id } = (await makeFirstProject(with_mail, {})) ?? { project_id: "" };
  const made = works.map((make) => make(with_mail, {}));
  onTestFinished(async () => void (await Promise.all(made.map((work) => work.stop?.()))));
  const waiting = () =>
    context.db.many<{ sealed: Buffer; tries: number }>(sql`select mails.sealed, mails.tries from mails`);
  return {
    ...{ clock, logged, waiting },
    send: (text: string) =>
      context.db.transaction((tx) =>
        addMail(with_mail, tx, project_id, { to: "bea@shop.example", subject: "Überraschung", text }),
      ),
    sendDue: () => runDue(context, made, clock.now()),
  };
}

test("a mail goes to the server that is named, once, as plain text", async () => {
  const { taken, url } = await aMailServer();
  const post = await aPost({ url, from: "guerdon@shop.example" });
  await post.send("Come in:\nhttp://127.0.0.1/welcome#abc");
  expect((await post.waiting())[0]?.sealed.toString("latin1")).not.toContain("welcome");
  await post.sendDue();
  await post.sendDue();
  expect(taken).toHaveLength(1);
  expect(taken[0]).toMatch(/^From: guerdon@shop\.example\r$/m);
  expect(taken[0]).toMatch(/^To: bea@shop\.example\r$/m);
  expect(taken[0]).toContain("http://127.0.0.1/welcome#abc");
  expect(await post.waiting()).toEqual([]);
});

test("one that is not taken is tried again, less and less often, and given up after a day", async () => {
  const { taken, state, url } = await aMailServer();
  const post = await aPost({ url, from: "guerdon@shop.example" });
  state.refusing = true;
  await post.send("one");
  await post.sendDue();
  await post.sendDue();
  expect(await post.waiting()).toMatchObject([{ tries: 1 }]);
  post.clock.advance({ minutes: 1 });
  await post.sendDue();
  expect(await post.waiting()).toMatchObject([{ tries: 2 }]);
  state.refusing = false;
  post.clock.advance({ minutes: 5 });
  await post.sendDue();
  expect(taken).toHaveLength(1);
  state.refusing = true;
  await post.send("two");
  for (let hours = 0; hours < 30; hours += 1) {
    await post.sendDue();
    post.clock.advance({ hours: 1 });
  }
  expect(await post.waiting()).toEqual([]);
});

test("without a server it is told to whoever reads the log", async () => {
  const post = await aPost();
  await post.send("Come in");
  await post.sendDue();
  expect(JSON.stringify(post.logged)).toContain("Come in");
  expect(await post.waiting()).toEqual([]);
});
