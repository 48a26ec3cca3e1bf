import type {
  Applicable,
  DecidedRedeemable,
  Discount,
  RedeemableFacts,
  SingleObject,
  VoucherFacts,
} from "@guerdon/engine";
import type { RedemptionRow } from "../../books/index.js";
import type { Catalogue } from "../../catalogue/index.js";
import type { VoucherShowing } from "../../features/vouchers/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import type { Sql } from "../../platform/db/sql.js";
import type { Change } from "../../recording/index.js";
import type { Named } from "../named.js";
import type { DecidingRequest } from "../requests/request.js";
import type { RedeemableInput } from "../requests/request.schemas.js";
import type { Ruled } from "../ruled.js";
import type { SharedFacts } from "../shared-facts.js";

/** What a redeemable's rules count and say, the same for every kind. */
export type RuleFacts = Pick<VoucherFacts, "rules" | "counters" | "units_discounted">;

/** One applied redeemable while it is being recorded. */
export interface Redeeming {
  change: Change;
  shared: SharedFacts;
  request: DecidingRequest;
  outcome: Applicable;
  /** Its redemption, to which the kind adds what it knows. */
  row: RedemptionRow;
  /** What cannot be done without asking the database; done before the next request is decided. */
  later(work: () => Promise<void>): void;
}

/** What a rollback does of one redeemable, known by its own id, beside what the books take back of any. */
interface Undoing {
  /** What must be held, beside the redemption itself. */
  keys(project_id: string, id: string): LockKey[];
  /** Adds what it takes back to the change. */
  undo(change: Change, id: string): void;
}

/** One applied redeemable while a session locks it. */
interface Reserving {
  change: Change;
  shared: SharedFacts;
  outcome: Applicable;
  session_key: string;
  expires_at: Instant;
}

/** What requests ask for of a kind: each once by what names it, and as they ask for it. */
export interface Wanted {
  ids: readonly string[];
  asked: readonly RedeemableInput[];
  requests: readonly DecidingRequest[];
}

/** Where answers are written: the service, and the project as it is now. */
export interface Showing {
  context: VoucherShowing;
  catalogue: Catalogue;
}

/** What an answer adds of a redeemable when it is asked to show more of it. */
export interface Expansion {
  name?: string;
}

/** What a redemption's answer says of what was redeemed. */
export interface RelatedObject {
  related_object_type: SingleObject;
  related_object_id: string;
  voucher: Record<string, unknown> | null;
  promotion_tier: Record<string, unknown> | null;
  gift?: { amount: number };
  loyalty_card?: { points: number };
  /** All but whom it was given to, which the redemption says. */
  reward?: Record<string, unknown>;
}

/**
 * Everything that one kind of redeemable has of its own: how it is found, what must be held, what it tells the engine, what
 * a redemption of it writes and shows. No other file asks which kind something is.
 */
export interface RedeemableKind {
  readonly object: SingleObject;
  /** Reads what locks need to know of those that requests name; left out where the catalogue knows it all. */
  readNames?(db: Queries, named: Named, wanted: Wanted): Promise<void>;
  /**
   * The keys of those that requests name, and of their counters, for `lockNamed`: just what {@link keys} answers of what is found. Null where
   * they hang on more than names.
   * @param rules_that_count of which redemptions take their counters' keys alone
   */
  findKeys?(catalogue: Catalogue, wanted: Wanted, rules_that_count: readonly string[]): Sql | null;
  /**
   * Reads them in full, as they are under the keys.
   * @param named somebody records; what they were found to be before, null where nobody has asked
   */
  readFacts?(db: Queries, shared: SharedFacts, wanted: Wanted, named?: Named | null): Promise<void>;
  /** Its own id and its rules; undefined for one that does not exist. */
  ruled(named: Named, named_as: RedeemableInput): Ruled | undefined;
  /** What must be held to redeem it, beside the keys of its counters. */
  keys(named: Named, request: DecidingRequest, named_as: RedeemableInput): LockKey[];
  /** Whether its facts are older than what a request before it in its batch has left. */
  isOutdated?(shared: SharedFacts, request: DecidingRequest, named_as: RedeemableInput): boolean;
  /** What it gives; null for none, undefined for one that does not exist. */
  discount(shared: SharedFacts, id: string): Discount | null | undefined;
  /** Undefined: not found. */
  facts(
    shared: SharedFacts,
    request: DecidingRequest,
    named_as: RedeemableInput,
    rules: RuleFacts,
  ): DecidedRedeemable | undefined;
  /** Adds what only this kind writes to the change and to its row, if it writes anything; the facts become what it leaves. */
  redeem?(redeeming: Redeeming): void;
  /** How the same is taken back, where the row is not all that a redemption of it writes. */
  readonly undoing?: Undoing;
  /** Adds what a session reserves of it to the change, if anything can be reserved; the facts become what it leaves. */
  reserve?(reserving: Reserving): void;
  /** Reads what `options.expand: ["redeemable"]` adds, by id; left out where that is nothing. */
  readExpansions?(db: Queries, project_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, Expansion>>;
  /**
   * Reads what answers show of those that rows name.
   * @param shared what a record has just seen of them
   */
  readShown(
    db: Queries,
    project_id: string,
    rows: readonly RedemptionRow[],
    shared: SharedFacts | null,
  ): Promise<RelatedObjects>;
}

/**
 * A kind that stands for redeemables of other kinds: whoever asks for one asks for those, in their order. Rules, counters,
 * keys and answers only know those (redemption.md §4 B1).
 */
export interface CompoundKind {
  readonly object: RedeemableInput["object"];
  /** Undefined for one that does not exist. */
  singles(catalogue: Catalogue, id: string): readonly RedeemableInput[] | undefined;
  /** How the rows of its redemptions name it, beside what each is of. */
  columns(id: string): Pick<RedemptionRow, "promotion_stack_id">;
  /** @param singles what those of one that exists tell the engine */
  facts(catalogue: Catalogue, id: string, singles: readonly DecidedRedeemable[]): RedeemableFacts;
}

/** What a row's answer says of what was redeemed; undefined where the row names none of this kind. */
export type RelatedObjects = (showing: Showing, row: RedemptionRow) => RelatedObject | undefined;
