-- What belongs to a thing that people edit goes with it (architecture.md §6). What nobody owned any more goes now.
alter table promotion_tiers
  drop constraint promotion_tiers_project_id_campaign_id_fkey,
  drop constraint promotion_tiers_project_id_category_id_fkey,
  add foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade,
  add foreign key (project_id, category_id) references categories (project_id, id) on delete set null (category_id);

alter table campaigns
  drop constraint campaigns_project_id_category_id_fkey,
  add foreign key (project_id, category_id) references categories (project_id, id) on delete set null (category_id);

delete from earning_rules
 where not exists (select from campaigns
                    where campaigns.project_id = earning_rules.project_id and campaigns.id = earning_rules.campaign_id);
alter table earning_rules
  add foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade;

delete from campaign_voucher_counts
 where not exists (select from campaigns
                    where campaigns.project_id = campaign_voucher_counts.project_id
                      and campaigns.id = campaign_voucher_counts.campaign_id);
alter table campaign_voucher_counts
  add foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade;

delete from voucher_holders
 where not exists (select from vouchers
                    where vouchers.project_id = voucher_holders.project_id and vouchers.id = voucher_holders.voucher_id)
    or not exists (select from customers
                    where customers.project_id = voucher_holders.project_id and customers.id = voucher_holders.customer_id);
-- Asked at the commit: a change writes a new customer with all others at its end, after what is given to them.
alter table voucher_holders
  add foreign key (project_id, voucher_id) references vouchers (project_id, id) on delete cascade,
  add foreign key (project_id, customer_id) references customers (project_id, id) on delete cascade
    deferrable initially deferred;

delete from segment_members
 where not exists (select from customers
                    where customers.project_id = segment_members.project_id and customers.id = segment_members.customer_id);
alter table segment_members
  add foreign key (project_id, customer_id) references customers (project_id, id) on delete cascade;

-- An assignment names one of many kinds of object, a foreign key only one: each kind has a column that is the id or null.
alter table validation_rules_assignments
  add column voucher_id text collate "C" generated always as
    (case related_object_type when 'voucher' then related_object_id end) stored,
  add column campaign_id text collate "C" generated always as
    (case related_object_type when 'campaign' then related_object_id end) stored,
  add column promotion_tier_id text collate "C" generated always as
    (case related_object_type when 'promotion_tier' then related_object_id end) stored,
  add column earning_rule_id text collate "C" generated always as
    (case related_object_type when 'earning_rule' then related_object_id end) stored;
delete from validation_rules_assignments as assignment
 where not exists (select from vouchers where vouchers.project_id = assignment.project_id and vouchers.id = assignment.related_object_id)
   and not exists (select from campaigns where campaigns.project_id = assignment.project_id and campaigns.id = assignment.related_object_id)
   and not exists (select from promotion_tiers where promotion_tiers.project_id = assignment.project_id and promotion_tiers.id = assignment.related_object_id)
   and not exists (select from earning_rules where earning_rules.project_id = assignment.project_id and earning_rules.id = assignment.related_object_id);
create index validation_rules_assignments_voucher on validation_rules_assignments (project_id, voucher_id) where voucher_id is not null;
create index validation_rules_assignments_campaign on validation_rules_assignments (project_id, campaign_id) where campaign_id is not null;
create index validation_rules_assignments_tier on validation_rules_assignments (project_id, promotion_tier_id) where promotion_tier_id is not null;
create index validation_rules_assignments_earning on validation_rules_assignments (project_id, earning_rule_id) where earning_rule_id is not null;
alter table validation_rules_assignments
  add foreign key (project_id, voucher_id) references vouchers (project_id, id) on delete cascade,
  add foreign key (project_id, campaign_id) references campaigns (project_id, id) on delete cascade,
  add foreign key (project_id, promotion_tier_id) references promotion_tiers (project_id, id) on delete cascade,
  add foreign key (project_id, earning_rule_id) references earning_rules (project_id, id) on delete cascade;
