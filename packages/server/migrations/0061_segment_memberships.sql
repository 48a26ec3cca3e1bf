-- Who is in the auto-update segments, as it was found last (rules.md §14). Led by the customer, who is judged by all of them
-- at once. Without a foreign key: the members of a deleted segment go in slices.
create table segment_memberships (
  project_id text collate "C" not null,
  customer_id text collate "C" not null,
  segment_id text collate "C" not null,
  entered_at timestamptz not null,
  primary key (project_id, customer_id, segment_id)
);
create index segment_memberships_segment on segment_memberships (project_id, segment_id, customer_id);

-- Walks over all customers of a project, or all members of a segment, slice by slice.
create table segment_walks (
  project_id text collate "C" not null,
  -- Empty: of all segments that time moves.
  segment_id text collate "C" not null,
  -- The first judgement of all customers; that of a new day; the end of all memberships.
  task text not null check (task in ('fill', 'day', 'end')),
  -- The last customer that was judged.
  after_id text collate "C" not null default '',
  begun_at timestamptz,
  due_at timestamptz not null,
  served_at timestamptz,
  primary key (project_id, segment_id)
);
create index segment_walks_due on segment_walks (due_at);
create index segments_kept on segments (project_id, id) where type = 'auto-update';

insert into segment_walks (project_id, segment_id, task, due_at)
select segments.project_id, segments.id, 'fill', segments.created_at from segments where segments.type = 'auto-update';
insert into segment_walks (project_id, segment_id, task, due_at)
select segments.project_id, '', 'day', min(segments.created_at) from segments
 where segments.type = 'auto-update' group by segments.project_id;
