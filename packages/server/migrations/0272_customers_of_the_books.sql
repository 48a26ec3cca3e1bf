-- Customers are made by redemptions as well, many in a moment, and each looked at its project and marked it as looked at. That the project is there is
-- known of whoever asks; what a deleted one leaves is deleted slice by slice, as orders and redemptions are.
alter table customers drop constraint customers_project_id_fkey;
