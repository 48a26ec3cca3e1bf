-- Long work that answers at once and is done later. The table itself is the queue (architecture.md §5).
create table async_actions (
  project_id text collate "C" not null references projects (id) on delete cascade,
  id text collate "C" not null,
  type text not null,
  -- bulk: one after the other within a project. long: in slices, in turn with the others.
  queue text not null check (queue in ('bulk', 'long')),
  -- The place in the project's bulk queue, given under the queue's key, hence in the order of commits.
  position bigint,
  status text not null check (status in ('ENQUEUED', 'IN_PROGRESS', 'DONE', 'FAILED')),
  operation_status text not null check (operation_status in ('UNKNOWN', 'SUCCESS', 'FAILED')),
  request_id text not null,
  event_source jsonb not null,
  parameters jsonb not null,
  -- Where the next slice begins; only the job reads it.
  state jsonb,
  done_count bigint not null default 0 check (done_count >= 0),
  failed_count bigint not null default 0 check (failed_count >= 0),
  progress int not null default 0 check (progress between 0 and 100),
  result jsonb,
  -- Tries of the present slice that failed; not before `due_at` is it tried again.
  failures int not null default 0,
  due_at timestamptz not null,
  -- Whoever holds the token may write, until somebody else has taken the action over.
  lease_token text,
  leased_until timestamptz,
  -- Whose turn it is among the project's long actions: the lowest; 0 has had none.
  turn bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  check ((queue = 'bulk') = (position is not null)),
  check ((status in ('DONE', 'FAILED')) = (operation_status <> 'UNKNOWN'))
);
create index async_actions_created on async_actions (project_id, created_at, id);
create unique index async_actions_position on async_actions (project_id, position) where position is not null;
create index async_actions_bulk on async_actions (project_id, position)
  where queue = 'bulk' and status in ('ENQUEUED', 'IN_PROGRESS');
create index async_actions_long on async_actions (project_id, turn, id)
  where queue = 'long' and status in ('ENQUEUED', 'IN_PROGRESS');

-- What a bulk request was sent, an item a row, so that a slice reads its own part alone. Gone when the action ends.
create table async_action_items (
  project_id text collate "C" not null,
  action_id text collate "C" not null,
  number bigint not null,
  item jsonb not null,
  primary key (project_id, action_id, number),
  foreign key (project_id, action_id) references async_actions (project_id, id) on delete cascade
);

-- What became of each item: the rows of the result file. A second row of one number is refused by the key.
create table async_action_rows (
  project_id text collate "C" not null,
  action_id text collate "C" not null,
  number bigint not null,
  outcome jsonb not null,
  primary key (project_id, action_id, number),
  foreign key (project_id, action_id) references async_actions (project_id, id) on delete cascade
);
