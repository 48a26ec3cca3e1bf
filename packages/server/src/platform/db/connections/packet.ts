import type { Socket } from "node:net";
import { oncePer } from "@guerdon/engine";
import pg from "pg";
import { serialize } from "pg-protocol";
import { parameterOf } from "./parameters.js";
import { getTypeParser } from "./values.js";

/** A statement as the connection is asked it. One with a name is prepared once a connection. */
export interface Asked {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: readonly unknown[];
}

/** What a statement answers: its rows, and how many it touched. */
export interface Answered<Row = unknown> {
  readonly rows: Row[];
  readonly count: number;
}

/** What is needed of the driver's connection. */
interface Wire {
  readonly stream: Socket;
}

/** What the rows of a statement are made of. */
interface Shape {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  readonly empty: Record<string, unknown>;
}

interface Field {
  name: string;
  dataTypeID: number;
}

interface Waiting {
  readonly asked: Asked;
  readonly rows: unknown[];
  count: number;
  /** Of its rows: known from an earlier time, or told by now. */
  shape: Shape | undefined;
  answer: (answered: Answered) => void;
  fail: (error: unknown) => void;
}

/** What is known of a connection. */
interface Known {
  /** The statements that it was given a name for, with their shapes as far as they are known. */
  readonly statements: Map<string, Shape | undefined>;
  /** What is being asked and has not gone out whole. */
  open: Packet | undefined;
  /** How many packets it has not answered. */
  unanswered: number;
}

const knownOf = oncePer((_client: pg.PoolClient): Known => ({ statements: new Map(), open: undefined, unanswered: 0 }));

/** The connection's own stream: a cancel request would end one statement, and those sent behind it would go on. */
export const socketOf = (client: pg.PoolClient) => (client as unknown as { connection: Wire }).connection.stream;

/**
 * Ends a connection that owes an answer and has been silent for so long; whoever waits is told. One clock a connection: the driver's own
 * makes one for each question, and what those leave behind makes the questions grow old with all that they hold (ADR 120).
 */
export function endSilent(client: pg.PoolClient, silent_ms_max: number): void {
  const socket = socketOf(client);
  socket.setTimeout(silent_ms_max);
  // Not as its second argument, which is told once: whoever is asked nothing for as long has its clock rung as well.
  socket.on("timeout", () => {
    if (knownOf(client).unanswered > 0)
      socket.destroy(new Error("Connection terminated: it owed an answer and was silent for too long"));
  });
}

/**
 * Hands a statement to the connection. Whatever else is asked of it before the thread has nothing more to do goes out in the same
 * packet.
 */
export function send<Row>(client: pg.PoolClient, asked: Asked): Promise<Answered<Row>> {
  const of_client = knownOf(client);
  if (!of_client.open) {
    of_client.open = new Packet(client, of_client);
    process.nextTick(() => closePacket(client));
  }
  return of_client.open.add(asked) as Promise<Answered<Row>>;
}

/** Writes what the packet holds by now, so that the server begins with it while the rest is made. */
export function flushPacket(client: pg.PoolClient): void {
  knownOf(client).open?.flush();
}

/** Nothing more belongs to the packet: it goes out now. */
export function closePacket(client: pg.PoolClient): void {
  const of_client = knownOf(client);
  const packet = of_client.open;
  of_client.open = undefined;
  packet?.close();
}

/**
 * Statements that go to the server together, and whose answers come back together: one Sync stands behind them all, so the server sends
 * once and wakes us once (ADR 105). Should one fail, those behind it are not done, and all are told why; outside of a transaction nothing
 * of the packet is done then. Each still sees what was committed when its own turn came. A query of the driver's, since its connection
 * takes no other kind.
 */
class Packet extends pg.Query {
  private readonly waiting: Waiting[] = [];
  /** How many of them were written. */
  private written = 0;
  private is_whole = false;
  /** Given by the driver, which takes the packet with its first statements. */
  private wire: Wire | undefined;
  private is_taken = false;
  /** Whose answer comes now. */
  private place = 0;
  private failure: { error: unknown } | undefined;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly known: Known,
  ) {
    super("");
  }

  add(asked: Asked): Promise<Answered> {
    return new Promise((answer, fail) => {
      this.waiting.push({ asked, rows: [], count: 0, shape: undefined, answer, fail });
    });
  }

  flush(): void {
    if (this.is_taken) this.write();
    else {
      this.is_taken = true;
      this.client.query(this);
    }
  }

  close(): void {
    this.is_whole = true;
    this.flush();
  }

  override submit = (connection: unknown): void => {
    this.wire = connection as Wire;
    this.known.unanswered += 1;
    this.write();
  };

  private write(): void {
    if (!this.wire) return;
    const messages: Buffer[] = [];
    try {
      for (; this.written < this.waiting.length && !this.failure; this.written += 1)
        this.writeOne(this.waiting[this.written] as Waiting, messages);
    } catch (error) {
      this.failure = { error };
    }
    if (this.is_whole) messages.push(serialize.sync());
    // As one piece: the system is given a list of pieces one by one.
    if (messages.length > 0 && this.wire.stream.writable) this.wire.stream.write(Buffer.concat(messages));
  }

  private writeOne(one: Waiting, messages: Buffer[]): void {
    const { name = "", text, values = [] } = one.asked;
    if (!this.known.statements.has(name)) {
      // One that failed may have got its name all the same.
      if (name !== "") messages.push(serialize.close({ type: "S", name }));
      messages.push(serialize.parse({ name, text }));
      if (name !== "") this.known.statements.set(name, undefined);
    }
    one.shape = this.known.statements.get(name);
    messages.push(serialize.bind({ statement: name, values: values as unknown[], valueMapper: parameterOf }));
    if (!one.shape) messages.push(serialize.describe({ type: "P" }));
    messages.push(serialize.execute());
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const one = this.waiting[this.place];
    if (one) one.shape = shapeOf(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const one = this.waiting[this.place];
    if (!one?.shape || this.failure) return;
    try {
      one.rows.push(rowOf(one.shape, fields));
    } catch (error) {
      this.failure = { error };
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const one = this.waiting[this.place];
    this.place += 1;
    if (!one) return;
    // "INSERT 0 5", "SELECT 3", "BEGIN".
    one.count = Number(text.slice(text.lastIndexOf(" ") + 1)) || 0;
    const { name } = one.asked;
    if (name && !this.known.statements.get(name)) this.known.statements.set(name, one.shape ?? nothing);
  }

  handleEmptyQuery(): void {
    this.place += 1;
  }

  handleReadyForQuery(): void {
    if (this.failure) {
      this.failAll(this.failure.error);
      return;
    }
    this.known.unanswered -= 1;
    for (const { answer, rows, count } of this.waiting) answer({ rows, count });
  }

  handleError(error: unknown): void {
    this.failAll(this.failure?.error ?? error);
  }

  private failAll(error: unknown): void {
    // Whether those that nobody has seen an answer of have got their names is not known.
    for (const { asked } of this.waiting.slice(this.place))
      if (asked.name && !this.known.statements.get(asked.name)) this.known.statements.delete(asked.name);
    this.known.unanswered -= 1;
    // Before the others, so that it is whoever asked it whom the error names.
    this.waiting[this.place]?.fail(error);
    for (const { fail } of this.waiting) fail(error);
  }
}

const nothing: Shape = { names: [], parsers: [], empty: {} };

function shapeOf(fields: readonly Field[]): Shape {
  const names = fields.map(({ name }) => name);
  return {
    names,
    parsers: fields.map(({ dataTypeID }) => getTypeParser(dataTypeID, "text")),
    empty: Object.fromEntries(names.map((name) => [name, null])),
  };
}

function rowOf({ names, parsers, empty }: Shape, texts: readonly (string | null)[]): Record<string, unknown> {
  const row = { ...empty };
  for (let i = 0; i < texts.length; i += 1) {
    const text = texts[i];
    if (text !== null && text !== undefined) row[names[i] as string] = (parsers[i] as (text: string) => unknown)(text);
  }
  return row;
}
