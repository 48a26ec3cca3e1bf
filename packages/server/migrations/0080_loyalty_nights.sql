-- What midnight brings to the loyalty cards of a project, night by night (loyalty.md §6.6): how far each project has come.
create table loyalty_nights (
  project_id text collate "C" primary key,
  -- Named by the day that begins with it: the next one, or the one under way. Null: that of the day after `due_at`.
  night date,
  -- The step under way, and the last card it has been done for; null before the first.
  step text,
  after_id text collate "C" not null default '',
  -- As many cards as the next slice takes: fewer after one that failed.
  cards_max int not null check (cards_max > 0),
  due_at timestamptz not null,
  served_at timestamptz
);
create index loyalty_nights_due on loyalty_nights (due_at);

-- Nothing was dated before, so that the nights of what is there begin with the next one.
insert into loyalty_nights (project_id, cards_max, due_at)
select distinct campaigns.project_id, 200, statement_timestamp() from campaigns
 where campaigns.campaign_type = 'LOYALTY_PROGRAM';
