-- Who was signed in and asked for a file, or put something into the bin; null: a key did, or it was done before this was kept.
alter table exports add column user_id text collate "C";
alter table bin_entries add column deleted_by_user_id text collate "C";
