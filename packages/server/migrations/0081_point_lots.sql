-- Points of a card that expire on the same day (loyalty.md §6.3). Points without a date have no row: they are what these leave
-- of the balance, so that a program whose points do not expire writes nothing here.
create table point_lots (
  project_id text collate "C" not null,
  id text collate "C" not null,
  voucher_id text collate "C" not null,
  campaign_id text collate "C",
  -- The last day on which they can be spent, where the project is.
  expires_on date not null,
  points_left bigint not null check (points_left >= 0),
  -- What was left when it expired.
  points_expired bigint not null default 0 check (points_expired >= 0),
  expired_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, voucher_id, expires_on),
  check (expired_at is null or points_left = 0)
) with (fillfactor = 80);
-- What a night finds.
create index point_lots_expiring on point_lots (project_id, expires_on, voucher_id) where expired_at is null;

-- What an entry did to lots, [{expires_on, points}]: a refund gives back to those that it was taken from.
alter table ledger_entries add column lots json;
-- The entry on the other side of a transfer.
alter table ledger_entries add column related_transaction_id text collate "C";
create index ledger_entries_lots_spent on ledger_entries (project_id, redemption_id)
 where lots is not null and type = 'POINTS_REDEMPTION';
