import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

/** Where a connection breaks, seen from the statement that was named. */
export type Cut =
  /** The statement never reaches the database. */
  | "before"
  /** What goes before it in its packet reaches the database, and the statement does not. */
  | "halfway"
  /** The statement is on its way; nobody knows more. */
  | "behind"
  /** The database has done it and said so, but its answer gets lost. */
  | "after"
  /** The client loses the connection at once, and the statement reaches the database when the client has asked elsewhere. */
  | "late"
  /** Nothing breaks: the statement reaches the database as late. */
  | "slow"
  /** The database refuses the statement, as one that it does not understand, and the connection goes on. */
  | "refused";

export interface Proxy {
  /** Connection string of the database by way of this proxy. */
  url: string;
  /**
   * Breaks the connection once: at the next statement that contains the text, in whatever letter case. Resolves when
   * that has happened.
   */
  cutAt(text: string, cut: Cut): Promise<void>;
  /** While off, every new connection is broken at once: the database is away. */
  reachable(is: boolean): void;
}

/** How late a statement is, in milliseconds. A transaction that was cut off waits no longer than a fifth of this before it runs again. */
export const late_ms = 400;

interface Plan {
  text: string;
  cut: Cut;
  done: () => void;
}

/** A TCP proxy before PostgreSQL that can break a connection at the very statement one asks for. Ends with the file. */
export async function startProxy(database_url: string): Promise<Proxy> {
  const { hostname, port } = new URL(database_url);
  const sockets = new Set<Socket>();
  let plan: Plan | undefined;
  let is_reachable = true;

  const server = createServer((client) => {
    if (!is_reachable) return void client.destroy();
    const database = connect(Number(port || 5432), hostname);
    let is_late = false;
    const end = () => {
      client.destroy();
      if (!is_late) database.destroy();
    };
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
      socket.on("close", () => sockets.delete(socket));
    }
    let answers_get_lost = false;
    const statementsIn = statementReader();
    client.on("data", (bytes) => {
      const statements = statementsIn(bytes);
      const found = plan;
      const statement = found && statements.find(({ text }) => text.toLowerCase().includes(found.text));
      if (!found || !statement) return void database.write(bytes);
      plan = undefined;
      found.done();
      if (found.cut === "before") return end();
      if (found.cut === "halfway") return void database.write(bytes.subarray(0, Math.max(0, statement.at)), end);
      if (found.cut === "refused") return void database.write(misspelt(bytes, statement));
      if (found.cut === "slow") return void setTimeout(() => database.write(bytes), late_ms);
      answers_get_lost = true;
      if (found.cut === "late") {
        is_late = true;
        client.destroy();
        return void setTimeout(() => {
          is_late = false;
          database.write(bytes);
        }, late_ms);
      }
      database.write(bytes, () => found.cut === "behind" && end());
    });
    database.on("data", (bytes) => (answers_get_lost ? end() : client.write(bytes)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const url = new URL(database_url);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cutAt: (text, cut) =>
      new Promise((done) => {
        plan = { text: text.toLowerCase(), cut, done };
      }),
    reachable: (is) => {
      is_reachable = is;
    },
  };
}

/** A statement that runs, and where its message begins in what was read; before 0 where that is in an earlier piece. */
interface Running {
  text: string;
  at: number;
}

/** The name of a prepared statement becomes one that nobody has given; as long as before, so that the message's length stays right. */
function misspelt(bytes: Buffer, { at }: Running): Buffer {
  const misspelling = Buffer.from(bytes);
  // Behind the type, the length and the name of the portal, which is empty.
  misspelling.write("?", at + 6, "latin1");
  return misspelling;
}

/**
 * Reads the statements that run out of what a client sends: simple queries (Q), and prepared ones (P gives a name to a
 * text, B runs it). A message ends where its length says; the very first one has no type.
 */
function statementReader(): (bytes: Buffer) => Running[] {
  let rest = Buffer.alloc(0);
  let is_started = false;
  const prepared = new Map<string, string>();
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const statements: Running[] = [];
    for (;;) {
      const at = bytes.length - rest.length;
      const prefix = is_started ? 1 : 0;
      if (rest.length < prefix + 4) return statements;
      const length = prefix + rest.readInt32BE(prefix);
      if (rest.length < length) return statements;
      const type = is_started ? String.fromCharCode(rest[0] ?? 0) : "";
      const [first = "", second = ""] = rest
        .subarray(prefix + 4, length)
        .toString("utf8")
        .split("\u0000");
      if (type === "Q") statements.push({ text: first, at });
      if (type === "P") prepared.set(first, second);
      if (type === "B") statements.push({ text: prepared.get(second) ?? "", at });
      is_started = true;
      rest = rest.subarray(length);
    }
  };
}
