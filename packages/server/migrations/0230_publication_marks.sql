-- How far a campaign's codes are given out (docs/adr/0101): nobody may be given a code made before its mark. Entries of published codes stay in
-- the index until PostgreSQL cleans it, and a search from the first one steps over all of them.
create table publication_marks (
  project_id text collate "C" not null,
  campaign_id text collate "C" not null,
  -- The place in the order of creation; null: the beginning.
  created_at timestamptz,
  id text collate "C",
  primary key (project_id, campaign_id),
  foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade,
  check ((created_at is null) = (id is null))
) with (fillfactor = 50);

-- Codes that are switched off are no next ones, and nobody shall step over them either.
drop index vouchers_unpublished;
create index vouchers_unpublished on vouchers (project_id, campaign_id, publish_count, created_at, id)
  where publish_count <= 0 and campaign_id is not null and deleted_at is null and active is not false;

-- A code that may be given again and stands before the mark takes it back. A trigger, so that no statement can forget it, of a process of the version
-- before neither; it writes the row where there is none, so that whoever moves the mark meanwhile waits for this.
create function free_code_again() returns trigger language plpgsql as $$
begin
  insert into publication_marks (project_id, campaign_id) values (new.project_id, new.campaign_id)
  on conflict (project_id, campaign_id) do update set created_at = new.created_at, id = new.id
   where (publication_marks.created_at, publication_marks.id) > (new.created_at, new.id);
  return null;
end
$$;
create trigger free_code_again after update on vouchers for each row
  when (new.publish_count <= 0 and new.campaign_id is not null and new.deleted_at is null and new.active is not false
        and (old.publish_count > 0 or old.campaign_id is distinct from new.campaign_id or old.deleted_at is not null
             or old.active is false))
  execute function free_code_again();
