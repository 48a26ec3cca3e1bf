/** What a unit of work takes, about, on a slow core. */
const unit_ms = 50e-6;
/** So long after another project worked it counts as one that works beside. */
const beside_ms = 100;
/** What is less than this part of a stretch is not worth a rest, nor a wait. */
const little_of_stretch = 20;
/** Projects whose work is remembered; beyond them all are forgotten once nobody waits. */
const projects_max = 10_000;

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
  private readonly queues = new Map<string, (() => void)[]>();
  private readonly workers = new Map<string, Worker>();
  private last: string | undefined;
  private changed_at = Number.NEGATIVE_INFINITY;

  /** @param stretch_max units that may be done before everybody else has a turn */
  constructor(readonly stretch_max: number) {}

  /** Takes into account what was done. True: {@link next} is to be waited for before anything else is. */
  took(project_id: string, units: number): boolean {
    this.done += units;
    this.rest(project_id, units);
    this.setNext();
    const is_little = units * little_of_stretch <= this.stretch_max;
    return this.isBusy(project_id) || (!is_little && this.queues.size > 0);
  }

  /** Whether somebody who is about to begin should wait: a stretch is half over, the project rests, or its own wait. */
  isBusy(project_id: string): boolean {
    return 2 * this.done > this.stretch_max || this.queues.has(project_id) || this.rests(project_id);
  }

  /** Resolves when everybody else has had a turn, those of the project who asked before included. */
  next(project_id: string): Promise<void> {
    return new Promise((go) => {
      const queue = this.queues.get(project_id) ?? [];
      queue.push(go);
      this.queues.set(project_id, queue);
      this.setNext();
    });
  }

  private rest(project_id: string, units: number): void {
    if (project_id !== this.last) {
      if (this.last !== undefined) this.changed_at = performance.now();
      this.last = project_id;
    }
    const worker = this.workers.get(project_id) ?? { spent: 0, rested_at: 0 };
    this.workers.set(project_id, worker);
    worker.spent += units;
    if (worker.spent * little_of_stretch <= this.stretch_max) return;
    const now = performance.now();
    if (now - this.changed_at <= beside_ms) worker.rested_at = Math.max(now, worker.rested_at) + worker.spent * unit_ms;
    worker.spent = 0;
  }

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

  /** Lets one in, of a project that does not rest. */
  private admit(): boolean {
    for (const [project_id, queue] of this.queues) {
      if (this.rests(project_id)) continue;
      // To the end of those that wait.
      this.queues.delete(project_id);
      const go = queue.shift();
      if (queue.length > 0) this.queues.set(project_id, queue);
      go?.();
      return true;
    }
    return false;
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
