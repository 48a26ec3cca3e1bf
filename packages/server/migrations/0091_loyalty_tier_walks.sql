-- Programs whose members are looked at again since tiers or settings changed, slice by slice (loyalty.md §8.1).
create table loyalty_tier_walks (
  project_id text collate "C" not null references projects (id) on delete cascade,
  campaign_id text collate "C" not null,
  -- Whether last days are computed anew: settings were changed, and that was asked for.
  recalculates boolean not null,
  -- The request that caused it.
  request_id text not null,
  -- The last member who was looked at: when their card was made, and its id.
  after_created_at timestamptz,
  after_id text collate "C" not null default '',
  due_at timestamptz not null,
  served_at timestamptz,
  primary key (project_id, campaign_id),
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade
);
create index loyalty_tier_walks_due on loyalty_tier_walks (due_at);
