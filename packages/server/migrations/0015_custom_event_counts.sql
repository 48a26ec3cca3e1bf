-- How often and when last a customer sent a custom event, for segments that count them.
create index events_custom on events (project_id, customer_id, (data ->> 'type'), created_at)
  where type = 'customer.custom_event';
