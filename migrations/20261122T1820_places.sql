-- Ids come in blocks, one for each process, so a row may become visible behind others of larger ids.
-- Lists therefore have an order of their own: each creating statement takes a place, and a list
-- shows a place once no statement that may have an earlier one is under way.

-- The first place is taken here, so that each that is given is behind the last one that is known.
create sequence places as bigint;
select nextval('places');

-- Called once by a statement that creates what a list shows, for the accounts that it creates for.
-- Until its transaction ends locks, which nobody is refused, tell that it is under way, and behind
-- which place its own may lie. They are taken before the place: whoever sees none knows that the
-- place will lie behind the last one that was given by then. The default of the columns knows no
-- account, so it stands for all, and takes one lock for 4096 rows.
create function take_place(list text, accounts text[] default '{""}') returns bigint
language plpgsql volatile as $$
declare
  behind bigint := pg_sequence_last_value('places');
  account text;
begin
  if accounts = '{""}' then behind := behind - behind % 4096; end if;
  foreach account in array accounts loop
    if not pg_try_advisory_xact_lock_shared(
      hashtext(list || ' ' || account), (behind % 2147483648)::int) then
      raise exception 'places of % are locked', list;
    end if;
  end loop;
  return nextval('places');
end $$;

-- Whatever creates for an account's list now, or what of it a former look saw and is still under
-- way: by `holder` the transaction, and behind which place it may create. The last place that was
-- given is looked up first: who is not under way then has no place up to it.
create function open_places(list text, account text, former text[] default null)
returns table (last_place bigint, settled bigint, holders text[])
language plpgsql volatile as $$
begin
  last_place := pg_sequence_last_value('places');
  select least(min(last_place - (last_place - objid::bigint) % 2147483648), last_place),
    coalesce(array_agg(distinct virtualtransaction), '{}')
  into settled, holders
  from pg_locks
  where locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint in (
      hashtext(list || ' ')::bigint & 4294967295, hashtext(list || ' ' || account)::bigint & 4294967295)
    and (former is null or virtualtransaction = any(former));
  return next;
end $$;

-- What is there stands first, by its id. The default is for whoever names no place.
alter table requests add column place bigint not null default 0;
alter table requests alter column place set default take_place('requests');
create index requests_by_place on requests (account_id, kind, place, id);
-- Read by nothing but the lists.
drop index requests_by_kind;

alter table mandates add column place bigint not null default 0;
alter table mandates alter column place set default take_place('mandates');
create index mandates_by_place on mandates (account_id, kind, place, id);
