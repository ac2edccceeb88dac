-- The order of lists, and names as lists and searches compare them.

-- Ids come in blocks, one for each process, so a row may become visible after rows with larger ids.
-- Lists therefore have an order of their own: each creating statement takes a place, and a list
-- shows a place only once no statement with an earlier one is under way.
create sequence places as bigint;
-- pg_sequence_last_value is null before the first call.
select nextval('places');

-- Called once by each statement that creates rows of a list, with their accounts. Shared locks,
-- which nothing ever refuses, show until the transaction ends that it is under way, and the place
-- after which its own may lie. The locks come before the place: a reader that sees no lock knows
-- that the place will lie after the last one given by then.
create function take_place(list text, accounts text[]) returns bigint
language plpgsql volatile as $$
declare
  behind bigint := pg_sequence_last_value('places');
  account text;
begin
  foreach account in array accounts loop
    if not pg_try_advisory_xact_lock_shared(
      hashtext(list || ' ' || account), (behind % 2147483648)::int) then
      raise exception 'places of % are locked', list;
    end if;
  end loop;
  return nextval('places');
end $$;

-- Transactions that create for an account's list now, or that an earlier look (former) saw and that
-- are still under way, and the place after which they may create. The last place is read before the
-- locks: a transaction without a lock then has no place up to it.
create function open_places(list text, account text, former text[])
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
    and classid::bigint = hashtext(list || ' ' || account)::bigint & 4294967295
    and (former is null or virtualtransaction = any(former));
  return next;
end $$;

-- A name without case and accents, composed or not.
create function folded(said text) returns text language sql immutable parallel safe
return lower(regexp_replace(normalize(said, nfkd),
  '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'));

-- The words of a text without case and accents. Each begins with its owner, so that a search reads
-- the index of one account alone.
create function words_of(owner text, said text) returns tsvector
language sql immutable parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(distinct owner || word)), '')
  from regexp_split_to_table(
    lower(regexp_replace(normalize(said, nfkd), '[\u0300-\u036F]', '', 'g')), '[^[:alnum:]]+'
  ) as word
  where word <> ''
$$;
