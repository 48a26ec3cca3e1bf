-- What a customer holds is listed and looked through by the order in which it was given.
create index voucher_holders_of_customer on voucher_holders (project_id, customer_id, id);
