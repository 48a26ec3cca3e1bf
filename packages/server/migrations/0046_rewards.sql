-- What points are spent on (loyalty.md §9). Parameters say what a reward gives: a code or a balance of a campaign, a product,
-- money off an order.
create table rewards (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  name text collate "C" not null,
  type text not null check (type in ('CAMPAIGN', 'COIN', 'MATERIAL')),
  parameters jsonb not null,
  -- How many there are; null is without limit. How many were given is in the books.
  stock bigint check (stock >= 0),
  attributes jsonb not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id)
);
create index rewards_created on rewards (project_id, created_at, id);

-- Which loyalty programs give a reward, and for how many points. Paying with points has no price.
create table reward_assignments (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  reward_id text collate "C" not null,
  campaign_id text collate "C" not null,
  points bigint check (points >= 1),
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, reward_id) references rewards (project_id, id) on delete cascade,
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade
);
create unique index reward_assignments_once on reward_assignments (project_id, reward_id, campaign_id);
create index reward_assignments_reward on reward_assignments (project_id, reward_id, created_at, id);
create index reward_assignments_campaign on reward_assignments (project_id, campaign_id, created_at, id);

-- How often rewards were given. Paying with points holds no key, so its adds are spread over slots above 0, one of which may
-- be below zero by itself (docs/adr/0040).
create table reward_usage (
  project_id text collate "C" not null,
  reward_id text collate "C" not null,
  slot smallint not null,
  redeemed bigint not null,
  primary key (project_id, reward_id, slot)
) with (fillfactor = 80);
