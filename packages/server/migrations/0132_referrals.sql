-- Who referred whom (vouchers-and-campaigns.md §15): once for a referrer, a customer and a campaign, whatever is told how often and in
-- what order. A referral stays, whoever is deleted since.
create table referrals (
  project_id text collate "C" not null references projects (id) on delete cascade,
  campaign_id text collate "C" not null,
  referrer_id text collate "C" not null,
  referee_id text collate "C" not null,
  voucher_id text collate "C" not null,
  -- What it was counted for: one of the two.
  redemption_id text collate "C",
  custom_event_id text collate "C",
  created_at timestamptz not null,
  primary key (project_id, campaign_id, referrer_id, referee_id),
  check (num_nonnulls(redemption_id, custom_event_id) = 1)
);
create index referrals_referee on referrals (project_id, referee_id, created_at);

-- How many customers somebody has referred in a campaign: the referrals above, counted with them.
create table referrers (
  project_id text collate "C" not null references projects (id) on delete cascade,
  referrer_id text collate "C" not null,
  campaign_id text collate "C" not null,
  referred int not null check (referred > 0),
  primary key (project_id, referrer_id, campaign_id)
);

-- Whether anything of a project may be a referral is asked with each of its redemptions.
create index campaigns_referring on campaigns (project_id) where campaign_type = 'REFERRAL_PROGRAM';

-- How many were referred in a campaign on a day.
alter table campaign_days add column referred_customers bigint not null default 0;
