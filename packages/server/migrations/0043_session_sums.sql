-- Live locks of a voucher, summed by when they end: a decision adds up some hundred rows, however many locks there are
-- (docs/adr/0038). A row is the sum of the voucher's sessions whose end lies in its slot, [slot × width, (slot + 1) × width)
-- after 1970, until that has ended; then nobody reads it.
create table voucher_session_sums (
  project_id text collate "C" not null,
  voucher_id text collate "C" not null,
  -- Of the slot, ms.
  width bigint not null,
  slot bigint not null,
  ends_at timestamptz not null,
  sessions bigint not null,
  credits bigint not null,
  primary key (project_id, voucher_id, width, slot)
) with (fillfactor = 80);
create index voucher_session_sums_ended on voucher_session_sums (ends_at);

insert into voucher_session_sums (project_id, voucher_id, width, slot, ends_at, sessions, credits)
select ending.project_id, ending.voucher_id, slots.width, ending.at / slots.width,
       timestamptz 'epoch' + (ending.at / slots.width + 1) * slots.width * interval '1 ms', count(*), sum(ending.credits)
  from (select voucher_sessions.project_id, voucher_sessions.voucher_id, voucher_sessions.credits,
               (extract(epoch from voucher_sessions.expires_at) * 1000)::bigint as at
          from voucher_sessions) as ending
 cross join (values (10000::bigint), (7200000)) as slots (width)
 group by 1, 2, 3, 4, 5;
