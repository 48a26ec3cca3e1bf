-- When an order was paid first: what follows from that follows once (loyalty.md §4.7). Null for one that never was, and for one
-- that a version before this one wrote, whose status says it.
alter table orders add column paid_at timestamptz;
alter table order_states add column paid_at timestamptz;
