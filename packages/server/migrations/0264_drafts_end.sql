-- Drafts that nobody goes on with end by themselves: those that were changed longest ago.
create index kept_pages_drafts on kept_pages (updated_at) where kind = 'draft';
