import { problems } from "../../platform/http/problems.js";
import { heapBytes } from "../../platform/processes/memory.js";

/** What catalogues may take of the process's memory, in bytes. */
export interface CatalogueBudget {
  /** Texts and indexes of all projects together; one project alone may have no more either. */
  kept_bytes_max: number;
  /** What stays compiled because it was met lately, over all projects. */
  compiled_bytes_max: number;
  /** What one decision may look at, compiled, whether it stays or not. */
  decision_bytes_max: number;
}

const mb = 2 ** 20;

/** Shares of the heap's limit: of 4 GB texts have 768 MB, of 256 MB they have 48. */
export function defaultBudget(heap_bytes = heapBytes()): CatalogueBudget {
  return {
    kept_bytes_max: Math.min(768 * mb, Math.round((heap_bytes * 3) / 16)),
    compiled_bytes_max: Math.min(128 * mb, Math.round(heap_bytes / 8)),
    decision_bytes_max: Math.min(128 * mb, Math.round(heap_bytes / 8)),
  };
}

/** The same where an operator has said what catalogues may keep. */
export const budgetOf = (kept_bytes_max: number | undefined, heap_bytes?: number): CatalogueBudget => ({
  ...defaultBudget(heap_bytes),
  ...(kept_bytes_max === undefined ? {} : { kept_bytes_max }),
});

/** Decisions that look at less than this are never in each other's way. */
const small_bytes = mb;

/** What a decision, or a batch of them, looks at as long as it is under way. */
export interface Claim {
  /** To be called before so much is compiled. @throws a 503 of the request's own when that is too much */
  take(bytes: number): void;
  release(): void;
}

/** What decisions under way hold compiled, kept or not, over all projects. */
export class Claims {
  private taken = 0;

  constructor(private readonly decision_bytes_max: number) {}

  get bytes(): number {
    return this.taken;
  }

  open(): Claim {
    let own = 0;
    return {
      take: (bytes) => {
        if (own + bytes > this.decision_bytes_max) throw decisionTooLarge(this.decision_bytes_max);
        // Two of the largest at once: more would be everybody's memory.
        const is_small = own + bytes <= small_bytes;
        if (!is_small && this.taken + bytes > 2 * this.decision_bytes_max) throw busyDeciding();
        own += bytes;
        this.taken += bytes;
      },
      release: () => {
        this.taken -= own;
        own = 0;
      },
    };
  }
}

const inMb = (bytes: number) => `${Math.max(1, Math.round(bytes / mb))} MB`;

/** Of a project that has no room even if nobody else were there. */
export const catalogueTooLarge = (bytes_max: number) =>
  problems.busy(
    `The campaigns, rules, segments and collections of this project take more memory than the service may give them (${inMb(bytes_max)}). Delete some, or let its operator raise GUERDON_CATALOGUE_BYTES.`,
  );

const decisionTooLarge = (bytes_max: number) =>
  problems.busy(
    `The rules that this request asks about take more memory than the service may give one request (${inMb(bytes_max)}). Ask for fewer redeemables at once, or shorten their rules.`,
  );

/** Of a moment in which others hold what this would take. */
export const busyDeciding = () =>
  problems.busy("The service holds as many large rules in memory as it may just now. Try again.");
