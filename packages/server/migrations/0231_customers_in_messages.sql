-- Which customers a message names beside the one whom it is about, such as who referred them: their permanent deletion takes it along. What
-- was written before says nothing of it, and is gone in thirty days.
alter table send_outs add column named_customer_ids text[] not null default '{}';
create index send_outs_named_customers on send_outs using gin (named_customer_ids) where named_customer_ids <> '{}';

-- Whose pending points lead to orders: what became of them is kept, the shop's own names of the orders go with the customer.
create index pending_points_customer on pending_points (project_id, customer_id);
