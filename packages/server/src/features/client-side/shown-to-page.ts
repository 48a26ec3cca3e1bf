import type { CustomerInput } from "../customers/index.js";

interface ShownCustomer {
  name: string | null;
  email: string | null;
  metadata: Record<string, unknown>;
}

/**
 * Anybody may name any customer here. So a page is told of them what it has said itself, and nothing that the shop was told
 * elsewhere (docs/adr/0037).
 */
export function shownToPage<Body extends { customer: ShownCustomer | null }>(
  body: Body,
  said: CustomerInput | null | undefined,
): Body {
  const { customer } = body;
  if (!customer) return body;
  const { name = null, email = null } = said ?? {};
  return { ...body, customer: { ...customer, name, email, metadata: {} } };
}
