-- A tier of referrers may count those referees alone who are in a segment when they are counted (vouchers-and-campaigns.md §15).
alter table referral_tiers add column segment_id text collate "C";
-- A segment that a tier asks for is in use.
create index referral_tiers_segment on referral_tiers (project_id, segment_id) where segment_id is not null;

-- How many referees of somebody such a tier has counted since it was made; what everybody counts for stands in `referrers`. It stays when
-- the tier goes, as what was given by it does.
create table tier_referrers (
  project_id text collate "C" not null references projects (id) on delete cascade,
  tier_id text collate "C" not null,
  referrer_id text collate "C" not null,
  referred int not null check (referred > 0),
  primary key (project_id, tier_id, referrer_id)
);
