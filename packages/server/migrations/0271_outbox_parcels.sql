-- Events wait for their consumers in parcels, some in one row, each as an object with id, type, entity_id and created_at.
-- A queue of the whole installation: whoever takes from it asks for what has waited longest.
create table outbox_parcels (
  project_id text collate "C" not null,
  created_at timestamptz not null,
  facts json not null
);
create index outbox_parcels_created on outbox_parcels (created_at);

-- What waits moves there. Processes of an older version still write to `outbox`; those of this one move what they find in it.
with gone as (delete from outbox returning outbox.project_id, outbox.created_at, outbox.event_id)
insert into outbox_parcels (project_id, created_at, facts)
select gone.project_id, gone.created_at,
       json_build_array(json_build_object('id', events.id, 'type', events.type, 'entity_id', events.entity_id,
                                          'created_at', (extract(epoch from events.created_at) * 1000)::bigint))
  from gone
  join events on events.project_id = gone.project_id and events.created_at = gone.created_at and events.id = gone.event_id;
