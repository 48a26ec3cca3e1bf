import cluster, { type Worker } from "node:cluster";
import type { Log } from "../log.js";
import { Deaths } from "./deaths.js";
import { HandedOver } from "./handed-over.js";
import { type Answering, type Line, openLine, type Wire } from "./line.js";
import { passWholeLines } from "./whole-lines.js";

/** The first process could not begin, and has said why. */
export class NoneBegan extends Error {}

interface KeeperOptions {
  /** How many answer. */
  processes: number;
  /** Flags of Node.js for each, beside those that this process was started with. */
  flags: readonly string[];
  log: Log;
  /** Where whole lines go that they write. */
  write(line: string): void;
  /** Where they listen; 0: at a free port, which is then the same for all. */
  port: number;
  /** What one is told that asks for its `beginning`; it says then at which address it `answers`. */
  beginning(port: number): unknown;
  /** What else they may ask. */
  answering: Answering;
  /** Told of each end, at once. */
  ended(number: number): void;
}

interface Member {
  worker: Worker;
  line: Line;
  /**
   * It `loads` until it has asked for its beginning; what is said to it before that is lost. `misplaced`: it listened at
   * another port than the others, and is ended for it.
   */
  state: "loads" | "begins" | "answers" | "misplaced";
  /** Resolves when it has ended, and all that it wrote has arrived. */
  gone: Promise<void>;
}

/** As often within a minute as there are processes, times this. */
const deaths_of_each_max = 3;

/** Starts the processes that answer, and starts another one when one has ended by itself. */
export class Keeper {
  /** Resolves when there is nothing to do but exit: they keep dying. */
  readonly lost: Promise<Error>;
  private tellLoss: (reason: Error) => void = () => undefined;
  /** By their numbers, from 1. */
  private readonly members = new Map<number, Member>();
  private readonly deaths: Deaths;
  private readonly handed_over = new HandedOver();
  private port_asked: number;
  private address: string | undefined;
  private is_stopping = false;

  constructor(private readonly options: KeeperOptions) {
    this.deaths = new Deaths(deaths_of_each_max * options.processes);
    this.port_asked = options.port;
    this.lost = new Promise<Error>((resolve) => (this.tellLoss = resolve));
  }

  /** Resolves to the address once all of them answer there; rejects with {@link NoneBegan}. */
  async start(): Promise<string> {
    // They load at once, and the first one listens first: what is wrong with the address is told once.
    const first = this.begin(1);
    // Should it fail the others are left waiting, and end with this process.
    const listens = new Promise<void>((resolve) => void first.then(() => resolve()).catch(() => undefined));
    const others = Array.from({ length: this.options.processes - 1 }, (_, i) => this.begin(i + 2, listens));
    for (const other of others) other.catch(() => undefined);
    this.address = await first;
    // Should one of them end before it answers, another one is begun in its place as later on.
    await Promise.allSettled(others);
    return this.address;
  }

  /** Asks all that answer, by their numbers; whoever does not answer in time is left out. */
  async askAll<Answer>(name: string, ms_max: number): Promise<Map<number, Answer>> {
    const answers = new Map<number, Answer>();
    const askOne = async ([number, { line }]: [number, Member]) => {
      const answer = await line.ask<Answer>(name, undefined, ms_max).catch(() => undefined);
      if (answer !== undefined) answers.set(number, answer);
    };
    await Promise.all(this.answering().map(askOne));
    return answers;
  }

  /** Tells all to answer what they have begun and to end; resolves when they have. */
  async stop(): Promise<void> {
    this.is_stopping = true;
    const stopOne = async ({ worker, line, state, gone }: Member) => {
      if (state === "loads") worker.process.kill("SIGKILL");
      else await line.ask("stop").catch(() => undefined);
      await gone;
    };
    await Promise.all([...this.members.values()].map(stopOne));
  }

  /** Ends at once whoever is still there. */
  kill(): void {
    for (const { worker } of this.members.values()) worker.process.kill("SIGKILL");
  }

  private answering(): [number, Member][] {
    return [...this.members].filter(([, { state }]) => state === "answers");
  }

  /** Resolves to its address once it answers. @param after what it waits for before it begins */
  private begin(number: number, after?: Promise<void>): Promise<string> {
    const worker = fork(this.options, this.handed_over, number);
    const gone = new Promise<void>((resolve) => worker.process.once("close", () => resolve()));
    return new Promise((resolve, reject) => {
      const beginning = async () => {
        member.state = "begins";
        await after;
        return this.options.beginning(this.portToAsk());
      };
      const answers = (address: string) => {
        // The last one that listened where it should has ended since this one asked where that is.
        if (this.address && address !== this.address) {
          member.state = "misplaced";
          return void worker.process.kill("SIGKILL");
        }
        member.state = "answers";
        resolve(address);
      };
      const line = openLine(wireTo(worker), { ...this.options.answering, beginning, answers });
      const member: Member = { worker, line, gone, state: "loads" };
      this.members.set(number, member);
      worker.once("exit", (code, signal) => this.hasEnded(number, signal ?? `code ${code}`));
      void gone.then(() => reject(new NoneBegan(`process ${number} ended before it answered`)));
    });
  }

  /** Port 0 is one port for all, as long as somebody listens at it; then it has to be asked for by its number. */
  private portToAsk(): number {
    if (this.address && this.answering().length === 0) this.port_asked = Number(new URL(this.address).port);
    return this.port_asked;
  }

  private hasEnded(number: number, how: string): void {
    const is_own_doing = this.members.get(number)?.state === "misplaced";
    this.members.delete(number);
    this.options.ended(number);
    if (this.is_stopping || !this.address) return;
    if (!is_own_doing) {
      if (this.deaths.note()) {
        this.is_stopping = true;
        const often = `${this.deaths.deaths_max} processes ended by themselves within a minute`;
        this.tellLoss(new Error(`${often} (process ${number}, the last one, by ${how})`));
        return;
      }
      this.options.log.warn({ ended: number, how }, "a process ended by itself and is started again");
    }
    // Should it end before it answers, its own end is told like any other.
    this.begin(number).catch(() => undefined);
  }
}

function fork({ flags, write }: KeeperOptions, handed_over: HandedOver, number: number): Worker {
  // Connections go to processes in turn, and to none that is busy: where all of them accept, one takes a burst for itself.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({
    args: ["serve", String(number)],
    execArgv: [...process.execArgv, ...flags],
    // Figures that are no numbers stay so.
    serialization: "advanced",
    silent: true,
  });
  const worker = cluster.fork();
  for (const stream of [worker.process.stdout, worker.process.stderr]) if (stream) passWholeLines(stream, write);
  handed_over.follow(worker);
  return worker;
}

function wireTo(worker: Worker): Wire {
  return {
    // With a listener of its own a failure is no event, which would stop this process: its end is told anyway.
    send: (message) => void worker.process.send(message as object, undefined, undefined, () => undefined),
    onMessage: (listener) => worker.on("message", listener),
    onEnd: (listener) => worker.once("exit", listener),
  };
}
