-- What referrers get (vouchers-and-campaigns.md §15): for each customer they refer, or once for so many of them.
create table referral_tiers (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  banner text,
  criterion text not null check (criterion in ('EACH_REFEREE', 'MIN_REFEREES')),
  referees_min int check (referees_min > 0),
  reward_id text collate "C" not null,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade,
  -- A reward that is deleted is given by nobody any more.
  foreign key (project_id, reward_id) references rewards (project_id, id) on delete cascade,
  check ((criterion = 'MIN_REFEREES') = (referees_min is not null))
);
create index referral_tiers_campaign on referral_tiers (project_id, campaign_id, created_at);
create index referral_tiers_reward on referral_tiers (project_id, reward_id);

-- What was given because of referrals: each of it once, however often it is told and to whichever process.
create table referral_rewards (
  project_id text collate "C" not null references projects (id) on delete cascade,
  campaign_id text collate "C" not null,
  -- The tier, or `referee_reward` of the campaign itself.
  given_by text collate "C" not null,
  referrer_id text collate "C" not null,
  -- Empty where it is given once for many.
  referee_id text collate "C" not null,
  reward_id text collate "C",
  -- The code, or the card that was added to; null of a product.
  voucher_id text collate "C",
  amount bigint,
  created_at timestamptz not null,
  primary key (project_id, campaign_id, given_by, referrer_id, referee_id)
);
