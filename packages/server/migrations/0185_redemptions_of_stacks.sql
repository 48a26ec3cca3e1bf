-- Which promotion stack was asked for, on every redemption that came of it; of those before it is not known. Nothing is
-- looked up by it, so it has no index.
alter table redemptions add column promotion_stack_id text collate "C";
