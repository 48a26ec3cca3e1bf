-- What requests with an Idempotency-Key were answered, written in the transaction that did what they asked for
-- (docs/adr/0039). Nobody reads a row that is older than 24 hours; days are dropped whole.
create table kept_answers (
  -- Empty for what belongs to no project: the operations of the management key that make one.
  project_id text collate "C" not null,
  -- server, client or management: none is told what another was.
  side text collate "C" not null,
  key text collate "C" not null,
  -- Of method, path and body.
  request_hash text collate "C" not null,
  status int not null,
  -- Null where it was larger than what is kept; sealed where it shows a secret.
  body text,
  body_bytes int not null,
  is_sealed boolean not null,
  created_at timestamptz not null,
  primary key (project_id, side, key, created_at)
) partition by range (created_at);
create table kept_answers_default partition of kept_answers default;
