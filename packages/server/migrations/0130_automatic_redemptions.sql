-- One reward of a program may be given by the service itself, as soon as a card holds its price (loyalty.md §9.6).
alter table reward_assignments add column auto_redeem boolean not null default false;
create unique index reward_assignments_auto on reward_assignments (project_id, campaign_id) where auto_redeem;

-- It takes several at once: how many, and the codes of a campaign beside the first.
alter table reward_redemptions add column units int not null default 1 check (units > 0);
alter table reward_redemptions add column more_voucher_ids jsonb;

-- What the service redeemed by itself, and because of what: once for each cause and card, however often it is told of it. They also
-- count a customer's day.
create table automatic_redemptions (
  project_id text collate "C" not null references projects (id) on delete cascade,
  voucher_id text collate "C" not null,
  -- An event that moved the card's points, or a night.
  cause text collate "C" not null,
  customer_id text collate "C" not null,
  reward_id text collate "C" not null,
  -- The project's.
  day date not null,
  redemption_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (project_id, voucher_id, cause)
);
create index automatic_redemptions_day on automatic_redemptions (project_id, customer_id, reward_id, day);
create index automatic_redemptions_old on automatic_redemptions (created_at);
