-- Walks over many objects of a project, slice by slice: one table for what segments, loyalty tiers and nights each had of their own.
create table walks (
  project_id text collate "C" not null,
  kind text collate "C" not null,
  -- What of the project it goes over; empty where the project is enough.
  subject_id text collate "C" not null default '',
  -- The request that caused it; null where the passing of time did.
  request_id text,
  -- How far it has come, as its kind writes it.
  state jsonb not null,
  -- As many objects as the next slice takes: fewer after one that failed.
  size int not null check (size > 0),
  due_at timestamptz not null,
  served_at timestamptz,
  primary key (project_id, kind, subject_id)
);
create index walks_due on walks (kind, due_at);

insert into walks (project_id, kind, subject_id, state, size, due_at, served_at)
select segment_walks.project_id, 'segment memberships', segment_walks.segment_id,
       jsonb_build_object('task', segment_walks.task, 'after_id', segment_walks.after_id,
                          'begun_at', (extract(epoch from segment_walks.begun_at) * 1000)::bigint),
       200, segment_walks.due_at, segment_walks.served_at
  from segment_walks;
drop table segment_walks;

insert into walks (project_id, kind, subject_id, request_id, state, size, due_at, served_at)
select loyalty_tier_walks.project_id,
       case when loyalty_tier_walks.recalculates then 'loyalty tiers anew' else 'loyalty tiers' end,
       loyalty_tier_walks.campaign_id, loyalty_tier_walks.request_id,
       jsonb_build_object('after_created_at', null, 'after_id', ''), 200, loyalty_tier_walks.due_at,
       loyalty_tier_walks.served_at
  from loyalty_tier_walks;
drop table loyalty_tier_walks;

insert into walks (project_id, kind, state, size, due_at, served_at)
select loyalty_nights.project_id, 'loyalty nights',
       jsonb_build_object('night', loyalty_nights.night, 'step', loyalty_nights.step, 'after_id', loyalty_nights.after_id),
       loyalty_nights.cards_max, loyalty_nights.due_at, loyalty_nights.served_at
  from loyalty_nights;
drop table loyalty_nights;
