-- What a redemption of a loyalty card gave (loyalty.md §9.4): beside its redemption, so that no other redemption pays for it.
create table reward_redemptions (
  project_id text collate "C" not null,
  id text collate "C" not null,
  state text not null check (state in ('PENDING', 'COMPLETED', 'ROLLEDBACK')),
  redemption_id text collate "C" not null,
  reward_id text collate "C" not null,
  -- As it was called then: the ledger says so too, whatever becomes of the reward.
  reward_name text not null,
  reward_type text not null check (reward_type in ('CAMPAIGN', 'COIN', 'MATERIAL')),
  reward_assignment_id text collate "C" not null,
  -- The loyalty program, its card, and whose it is.
  campaign_id text collate "C",
  voucher_id text collate "C" not null,
  customer_id text collate "C",
  -- The voucher of another campaign that was given or credited, and with how much.
  given_voucher_id text collate "C",
  given_amount bigint,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create unique index reward_redemptions_redemption on reward_redemptions (project_id, redemption_id);
