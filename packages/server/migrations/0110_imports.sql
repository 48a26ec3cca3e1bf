-- What an import was sent, in pieces of some rows, kept before it is answered (vouchers-and-campaigns.md §9). A piece is written while
-- the file still comes in, and so before the action there is; one that no action takes up is purged.
create table import_pieces (
  project_id text collate "C" not null references projects (id) on delete cascade,
  -- The id of the asynchronous action.
  import_id text collate "C" not null,
  -- The number of its last row, from 1.
  last_row bigint not null,
  content text not null,
  created_at timestamptz not null,
  primary key (project_id, import_id, last_row)
);
create index import_pieces_created on import_pieces (created_at);
