-- The live locks of a voucher, summed from the index alone and from its live end: however many have run out, and however
-- late they are purged, nobody reads them.
create index voucher_sessions_live on voucher_sessions (project_id, voucher_id, expires_at) include (session_key, credits);
