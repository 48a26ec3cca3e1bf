-- An earning rule's validation rule is an assignment, as every other is.
insert into validation_rules_assignments (project_id, id, rule_id, related_object_id, related_object_type, created_at)
select project_id, 'asgm_' || substr(md5(project_id || id || validation_rule_id), 1, 24), validation_rule_id, id, 'earning_rule',
       coalesce(updated_at, created_at)
  from earning_rules
 where validation_rule_id is not null
on conflict do nothing;
