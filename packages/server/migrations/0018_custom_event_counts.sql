-- How often and when last a customer sent each custom event, for segments that count them: events end with their month.
create table custom_event_counts (
  project_id text collate "C" not null,
  customer_id text collate "C" not null,
  name text collate "C" not null,
  count bigint not null check (count > 0),
  last_at timestamptz not null,
  primary key (project_id, customer_id, name),
  foreign key (project_id, customer_id) references customers (project_id, id) on delete cascade
) with (fillfactor = 80);

insert into custom_event_counts (project_id, customer_id, name, count, last_at)
select events.project_id, events.customer_id, events.data ->> 'type', count(*), max(events.created_at)
  from events
  join customers on customers.project_id = events.project_id and customers.id = events.customer_id
 where events.type = 'customer.custom_event' and events.data ->> 'type' is not null
 group by events.project_id, events.customer_id, events.data ->> 'type';
drop index events_custom;
