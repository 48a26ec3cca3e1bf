export interface Together<One> {
  /** Of one group: so many go beside each other. */
  at_once: number;
  /** How many of those who wait go next, from the first on: at least one. */
  sizeOf(waiting: readonly One[]): number;
  /** Never rejects: what becomes of each is told to each. */
  go(together: readonly One[]): Promise<void>;
}

interface Group<One> {
  waiting: One[];
  running: number;
  patience: NodeJS.Timeout | undefined;
}

/**
 * So many wait before others go beside those who are under way: to go costs the process, and PostgreSQL, nearly as much for a
 * few as for many.
 */
const crowd = 24;
/** Nobody waits longer for a crowd: those under way may be slow. */
const patience_ms = 20;

/**
 * Has those who wait go together, each group by itself: who comes while others are under way goes with the next, and whoever
 * is alone waits for nothing.
 */
export class Companies<One> {
  private readonly groups = new Map<string, Group<One>>();

  constructor(private readonly together: Together<One>) {}

  /** How many of the group wait. */
  readonly waiting = (name: string): number => this.groups.get(name)?.waiting.length ?? 0;

  join(name: string, one: One): void {
    const group = this.groups.get(name) ?? { waiting: [], running: 0, patience: undefined };
    this.groups.set(name, group);
    group.waiting.push(one);
    // A turn later, so that requests read from the network together go together.
    if (this.mayGo(group)) setImmediate(() => void this.run(name, group, this.mayGo(group)));
    else this.bePatient(name, group);
  }

  private readonly mayGo = ({ running, waiting }: Group<One>) =>
    running === 0 || (running < this.together.at_once && waiting.length >= crowd);

  /** Has those who wait go without a crowd, after a while. */
  private bePatient(name: string, group: Group<One>): void {
    if (group.running === this.together.at_once) return;
    group.patience ??= setTimeout(() => {
      group.patience = undefined;
      void this.run(name, group, group.running < this.together.at_once);
    }, patience_ms);
  }

  private async run(name: string, group: Group<One>, begins: boolean): Promise<void> {
    const { sizeOf, go } = this.together;
    for (let may_go = begins; may_go && group.waiting.length > 0; may_go = this.mayGo(group)) {
      const together = group.waiting.splice(0, sizeOf(group.waiting));
      group.running += 1;
      await go(together);
      group.running -= 1;
    }
    if (group.waiting.length > 0) this.bePatient(name, group);
    else if (group.running === 0 && this.groups.get(name) === group) this.groups.delete(name);
  }
}
