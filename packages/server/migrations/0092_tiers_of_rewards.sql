-- The loyalty tier in which a member was given a reward, at that tier's price.
alter table reward_redemptions add column loyalty_tier_id text collate "C";
