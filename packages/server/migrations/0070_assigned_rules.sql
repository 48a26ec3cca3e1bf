-- Rules by the object they are assigned to, as a catalogue reads them: vouchers, of which there are millions, are not among them.
create index validation_rules_assignments_catalogue
  on validation_rules_assignments (project_id, related_object_id, id) include (rule_id)
  where related_object_type in ('campaign', 'promotion_tier', 'reward_assignment');
