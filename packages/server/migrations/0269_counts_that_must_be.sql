-- What goes out with a COMMIT is asked by nobody how much it did: where so much must have been done, it asks here itself, and all
-- of the transaction fails with it.
create function must_be(counted bigint, wanted bigint, what text) returns void
language plpgsql as $$
begin
  if counted is distinct from wanted then
    raise exception '%: % instead of %', what, counted, wanted using errcode = 'assert_failure';
  end if;
end
$$;
