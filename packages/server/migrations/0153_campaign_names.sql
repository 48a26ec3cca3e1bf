-- Campaigns by how their names begin, whatever the case of their ASCII letters: what somebody types who looks for one.
create index campaigns_name_folded on campaigns (project_id, (lower(name collate "C")), id) where deleted_at is null;
