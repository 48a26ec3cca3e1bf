-- What has a date ends on schedule, found by an index on its end (architecture.md §11).

-- The result rows of an action that has ended, its report's among them; null once they are gone.
alter table async_actions add column results_until timestamptz;
update async_actions set results_until = async_actions.updated_at + interval '30 days'
 where async_actions.status in ('DONE', 'FAILED');
create index async_actions_results on async_actions (project_id, results_until) where results_until is not null;

-- Whether a generation failed beside another one of the same campaign.
create index async_actions_failed on async_actions (project_id, updated_at) where status = 'FAILED';
