-- What a person edits. A redemption never updates this table (architecture.md §6).
create table vouchers (
  project_id text collate "C" not null,
  id text collate "C" not null,
  code text not null,
  -- The code as codes are compared: folded by the application where the project's codes ignore case.
  code_key text collate "C" not null,
  campaign_id text collate "C",
  type text not null check (type in ('DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD')),
  discount jsonb,
  -- The effect of a gift card and the amount it was made with.
  gift jsonb,
  loyalty_card jsonb,
  -- Redemptions allowed; null is without limit. Never changes after creation.
  quantity bigint check (quantity > 0),
  category_id text collate "C",
  start_date timestamptz,
  expiration_date timestamptz,
  validity_timeframe jsonb,
  validity_day_of_week int[],
  validity_hours jsonb,
  active boolean,
  additional_info text,
  metadata jsonb not null,
  is_referral_code boolean,
  holder_id text collate "C",
  publish_count bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz,
  -- In the bin: the code stays taken.
  deleted_at timestamptz,
  primary key (project_id, id)
);
create unique index vouchers_code on vouchers (project_id, code_key);
create index vouchers_created on vouchers (project_id, created_at, id) where deleted_at is null;
create index vouchers_updated on vouchers (project_id, (coalesce(updated_at, created_at)), id) where deleted_at is null;
create index vouchers_campaign on vouchers (project_id, campaign_id, created_at, id) where campaign_id is not null and deleted_at is null;
create index vouchers_holder on vouchers (project_id, holder_id) where holder_id is not null;
create index vouchers_category on vouchers (project_id, category_id) where category_id is not null;

-- How often a voucher was redeemed; the row appears with the first redemption. `quantity` is copied so that the
-- check can stand guard here.
create table voucher_usage (
  project_id text collate "C" not null,
  voucher_id text collate "C" not null,
  quantity bigint,
  redeemed_quantity bigint not null check (redeemed_quantity >= 0),
  primary key (project_id, voucher_id),
  check (quantity is null or redeemed_quantity <= quantity)
) with (fillfactor = 80);

-- Gift credits in minor units, loyalty points as they are. A balance moves only together with a ledger entry:
-- balance = opening + sum of the card's entries.
create table card_balances (
  project_id text collate "C" not null,
  voucher_id text collate "C" not null,
  opening bigint not null check (opening >= 0),
  -- Ever added, opening included; ever taken away by hand; expired; spent by redemptions and not returned.
  added bigint not null check (added >= opening),
  subtracted bigint not null default 0 check (subtracted >= 0),
  expired bigint not null default 0 check (expired >= 0),
  redeemed bigint not null default 0 check (redeemed >= 0),
  balance bigint not null check (balance >= 0),
  primary key (project_id, voucher_id),
  check (balance = added - subtracted - expired - redeemed)
) with (fillfactor = 80);

-- The books. Append-only: a correction is another entry.
create table ledger_entries (
  project_id text collate "C" not null,
  id text collate "C" not null,
  voucher_id text collate "C" not null,
  campaign_id text collate "C",
  type text not null,
  amount bigint not null check (amount <> 0),
  -- After this entry: what is left, and `total` as the API shows it (added less subtracted and expired).
  balance bigint not null check (balance >= 0),
  total bigint not null,
  currency text not null,
  redemption_id text collate "C",
  rollback_id text collate "C",
  order_id text collate "C",
  source_id text,
  source text,
  reason text,
  details jsonb,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create index ledger_entries_voucher on ledger_entries (project_id, voucher_id, id);
create index ledger_entries_campaign on ledger_entries (project_id, campaign_id, id) where campaign_id is not null;
