/** What a shop may say of a product or SKU inside an order line, or what the catalogue knows of it. */
export interface ProductFacts {
  id?: string | null;
  source_id?: string | null;
  name?: string | null;
  /** Minor units. */
  price?: number | null;
  metadata?: Record<string, unknown> | null;
}

/** A SKU is a variant of a product; what it lacks, its product gives (rules.md §17.1). */
export interface SkuFacts extends ProductFacts {
  sku?: string | null;
  product_id?: string | null;
}

/**
 * One line of an order before anything is computed: the request's line laid over the
 * catalogue's product and SKU. Normalisation (discounts.md §2) turns it into an {@link OrderLine}.
 */
export interface OrderLineInput {
  id?: string;
  source_id?: string | null;
  related_object?: "product" | "sku" | null;
  product_id?: string | null;
  sku_id?: string | null;
  quantity?: number | null;
  /** Minor units for one unit. */
  price?: number | null;
  /** Minor units for the line; wins over price × quantity. */
  amount?: number | null;
  /** As sent with the line; wins over the catalogue. */
  product?: ProductFacts | null;
  sku?: SkuFacts | null;
  /** As stored. */
  catalogue_product?: ProductFacts | null;
  catalogue_sku?: SkuFacts | null;
  metadata?: Record<string, unknown> | null;
  /** Only on a stored order: what earlier redemptions took off or gave on this line. */
  discount_amount?: number;
  discount_quantity?: number;
  initial_quantity?: number;
  initial_amount?: number;
}

/** An order before anything is computed. `discount_amount` is only set on a stored order. */
export interface OrderInput {
  amount?: number | null;
  items?: readonly OrderLineInput[] | null;
  metadata?: Record<string, unknown> | null;
  /** Order-level discounts of earlier redemptions of this stored order, minor units. */
  discount_amount?: number;
  initial_amount?: number;
}

/**
 * A line while discounts are being computed. Money is integer minor units; a line without any
 * price carries no money (`amount` undefined) and takes part in no money rule.
 */
export interface OrderLine {
  /** The line this came from; the server joins ids and names back by it. New lines continue the numbering. */
  readonly index: number;
  readonly input: OrderLineInput;
  readonly product_id: string | null;
  readonly product_source_id: string | null;
  readonly sku_id: string | null;
  readonly sku_source_id: string | null;
  /** Effective metadata of the product or SKU, request over catalogue. */
  readonly product_metadata: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
  quantity: number;
  price: number | undefined;
  amount: number | undefined;
  readonly initial_quantity: number;
  readonly initial_amount: number | undefined;
  /** All item-level discounts so far, earlier redemptions of a stored order included. */
  discount_amount: number;
  discount_quantity: number;
}

/** The order as the redeemables so far have left it. */
export interface RunningOrder {
  lines: OrderLine[];
  amount: number | undefined;
  readonly initial_amount: number | undefined;
  /** Order-level discounts so far. */
  discount_amount: number;
  readonly metadata: Record<string, unknown>;
}
