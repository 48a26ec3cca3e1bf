import { Foreground } from "./foreground.js";

/** What a unit of work takes, about, on a slow core. */
const unit_ms = 50e-6;
/** So long after another project worked it counts as one that works beside. */
const beside_ms = 100;
/** What is less than this part of a stretch is not worth a rest, nor a wait. */
const little_of_stretch = 20;
/** Projects whose work is remembered; beyond them all are forgotten once nobody waits. */
const projects_max = 10_000;

/** What a request takes beside what it decides: it is read, checked and answered. */
const request_units = 5_000;
/** What its body takes that is read and checked. */
const units_of_byte = 1;
/**
 * What a large one takes beside: it is kept whole, so written, told and read again some ten times, here and at the database (64 KB of
 * one text: 9 ms of this thread and 8 of PostgreSQL, on a slow core). Larger ones still are files and lists, of which each
 * row is small.
 */
const units_of_kept_byte = 11;
const small_bytes = 16_384;
const kept_bytes_max = 262_144;

const unitsOfBody = (bytes: number) =>
  bytes * units_of_byte + Math.max(0, Math.min(bytes, kept_bytes_max) - small_bytes) * units_of_kept_byte;

interface Waiting {
  go: () => void;
  /** What will be done, about. */
  units: number;
}

/** How long a request waits for its turn to be read. A project that asks faster than it may would else have ever more that wait. */
const patience_ms = 10_000;

/** Of one project. What is under way goes first: it may hold a connection, and locks. */
interface Queue {
  readonly under_way: Waiting[];
  readonly at_the_door: Waiting[];
}

interface Worker {
  /** Units that the project has not rested for yet. */
  spent: number;
  /** When it has rested, by the process's clock. */
  rested_at: number;
}

/**
 * Shares the process's one thread among projects: whoever has taken a stretch waits until all others have had a turn,
 * `/health` and the sockets among them. While others work too a project has at most half of the thread: it rests as long as
 * it has worked. Work is counted in units of about 50 ns, and not timed: a clock would also count what somebody else's
 * garbage took.
 */
export class Turns {
  /** Units in this turn of the event loop. */
  private done = 0;
  private is_set = false;
  private waking: NodeJS.Timeout | undefined;
  /** Who waits, by project; the project that goes next stands first. */
  private readonly queues = new Map<string, Queue>();
  private readonly workers = new Map<string, Worker>();
  private last: string | undefined;
  private changed_at = Number.NEGATIVE_INFINITY;
  readonly foreground = new Foreground();

  /**
   * @param stretch_max units that may be done before everybody else has a turn
   * @param door_ms_max how long {@link enter} waits
   */
  constructor(
    readonly stretch_max: number,
    private readonly door_ms_max = patience_ms,
  ) {}

  /** Takes into account what was done. True: {@link next} is to be waited for before anything else is. */
  took(project_id: string, units: number): boolean {
    this.done += units;
    this.rest(project_id, units);
    this.setNext();
    const is_little = units * little_of_stretch <= this.stretch_max;
    return this.isBusy(project_id) || (!is_little && this.queues.size > 0);
  }

  /** Whether somebody who is about to begin should wait: the turn is used up, the project rests, or its own wait. */
  isBusy(project_id: string): boolean {
    return this.done > this.share() || this.waits(project_id, "under_way") || this.rests(project_id);
  }

  /** Resolves when everybody else has had a turn, those of the project who asked before included. */
  next(project_id: string): Promise<void> {
    return new Promise((go) => this.queue(project_id, "under_way", { go, units: this.stretch_max }));
  }

  /**
   * For a request that comes in: resolves when its body may be read. At once, unless another project works beside.
   * @returns false: its turn did not come in time, and it is to be refused
   */
  async enter(project_id: string, body_bytes: number): Promise<boolean> {
    const units = request_units + unitsOfBody(body_bytes);
    this.foreground.asked();
    if (this.isBeside() && (this.isBusy(project_id) || this.waits(project_id, "at_the_door"))) {
      if (!(await this.waitAtTheDoor(project_id, units))) return false;
    }
    this.tookBeside(project_id, units);
    return true;
  }

  /** The same as {@link took} for what is bounded of itself, and nobody's matter where one project works alone. */
  tookBeside(project_id: string, units: number): boolean {
    if (this.isBeside()) return this.took(project_id, units);
    this.rest(project_id, units);
    return false;
  }

  private waitAtTheDoor(project_id: string, units: number): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        this.leave(project_id, waiting);
        resolve(false);
      }, this.door_ms_max);
      const go = () => {
        clearTimeout(giveUp);
        resolve(true);
      };
      const waiting = { go, units };
      this.queue(project_id, "at_the_door", waiting);
    });
  }

  private queue(project_id: string, where: keyof Queue, waiting: Waiting): void {
    const queue = this.queues.get(project_id) ?? { under_way: [], at_the_door: [] };
    queue[where].push(waiting);
    this.queues.set(project_id, queue);
    this.setNext();
  }

  private leave(project_id: string, waiting: Waiting): void {
    const { at_the_door = [], under_way = [] } = this.queues.get(project_id) ?? {};
    at_the_door.splice(at_the_door.indexOf(waiting), 1);
    if (at_the_door.length + under_way.length === 0) this.queues.delete(project_id);
  }

  private readonly waits = (project_id: string, where: keyof Queue) =>
    (this.queues.get(project_id)?.[where].length ?? 0) > 0;

  private rest(project_id: string, units: number): void {
    if (project_id !== this.last) {
      if (this.last !== undefined) this.changed_at = performance.now();
      this.last = project_id;
    }
    const worker = this.workers.get(project_id) ?? { spent: 0, rested_at: 0 };
    this.workers.set(project_id, worker);
    worker.spent += units;
    if (worker.spent * little_of_stretch <= this.stretch_max) return;
    if (this.isBeside()) worker.rested_at = Math.max(performance.now(), worker.rested_at) + worker.spent * unit_ms;
    worker.spent = 0;
  }

  /** Units of a turn of the event loop after which whoever comes waits for the next. */
  private readonly share = () => this.stretch_max / (this.isBeside() ? 8 : 2);

  private readonly isBeside = () => performance.now() - this.changed_at <= beside_ms;

  private readonly restedAt = (project_id: string) => this.workers.get(project_id)?.rested_at ?? 0;

  private readonly rests = (project_id: string) => this.restedAt(project_id) > performance.now();

  private setNext(): void {
    if (this.is_set) return;
    this.is_set = true;
    setImmediate(() => {
      this.is_set = false;
      this.done = 0;
      if (this.admit()) this.setNext();
      else if (this.queues.size > 0) this.wakeLater();
      else if (this.workers.size > projects_max) this.workers.clear();
    });
  }

  /** Lets in what fills a turn of the event loop, one at least, and one of each project in turn. */
  private admit(): boolean {
    let units = 0;
    const share = this.share();
    while (units < share) {
      const project_id = this.firstRested();
      if (project_id === undefined) break;
      units += this.admitOne(project_id);
    }
    return units > 0;
  }

  private firstRested(): string | undefined {
    for (const project_id of this.queues.keys()) if (!this.rests(project_id)) return project_id;
    return undefined;
  }

  private admitOne(project_id: string): number {
    const queue = this.queues.get(project_id);
    const first = queue?.under_way.shift() ?? queue?.at_the_door.shift();
    // To the end of those that wait.
    this.queues.delete(project_id);
    if (queue && queue.under_way.length + queue.at_the_door.length > 0) this.queues.set(project_id, queue);
    first?.go();
    return first?.units ?? 0;
  }

  /** All that wait rest. */
  private wakeLater(): void {
    if (this.waking) return;
    const soonest = Math.min(...[...this.queues.keys()].map(this.restedAt));
    this.waking = setTimeout(() => {
      this.waking = undefined;
      this.setNext();
    }, soonest - performance.now());
  }
}
