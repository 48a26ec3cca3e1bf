-- A validation rule that is deleted no longer holds for anything, earning rules included (rules.md §9).
update earning_rules set validation_rule_id = null
 where validation_rule_id is not null
   and not exists (select from validation_rules
                    where validation_rules.project_id = earning_rules.project_id
                      and validation_rules.id = earning_rules.validation_rule_id);
alter table earning_rules
  add foreign key (project_id, validation_rule_id) references validation_rules (project_id, id)
    on delete set null (validation_rule_id);
create index earning_rules_validation_rule on earning_rules (project_id, validation_rule_id)
  where validation_rule_id is not null;
