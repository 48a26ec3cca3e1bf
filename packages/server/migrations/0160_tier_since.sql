-- Whoever is prolonged has been in the tier since they came, and its last day counts from when it was prolonged.
alter table loyalty_tier_members add column since_date date;
