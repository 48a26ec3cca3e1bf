-- Keys are locked by the hash that the server makes of their texts, where it was one of the process's own before (ADR 113). Processes of before
-- and of now do not keep each other out, so those of before can commit nothing that they write from here on: they do not fill this column, are told to
-- begin anew, and answer 503 until they are replaced. A default is looked at where a row is added without it, and costs those who fill it nothing.
create function keys_are_locked_by_their_texts() returns smallint language plpgsql as $$
begin
  raise exception 'a process of an older version may not write beside those of this one'
    using errcode = 'serialization_failure', hint = 'Replace it by one of this version.';
end $$;
alter table transaction_tokens add column keys_as smallint;
alter table transaction_tokens alter column keys_as set default keys_are_locked_by_their_texts();
