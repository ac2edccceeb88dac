-- Reads from a replica: how fresh it is, and which accounts must not read there yet.

-- The primary renews the mark once a second while a process reads from a replica. A replica that
-- shows a mark has everything that was committed before the mark was made.
create table replica_marks (
  one boolean primary key default true check (one),
  -- Tells this database from others.
  born uuid not null default gen_random_uuid(),
  no bigint not null default 0,
  -- Tells this history from one that forked.
  mark uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  -- No list gets another row up to this place.
  settled bigint not null default 0
) with (fillfactor = 10);
insert into replica_marks default values;

-- Renews the mark if it is a second old, and returns the current one. The last place is read before
-- the locks, as in open_places; here the locks of all lists count, but not those of listeners.
create function mark_for_replicas() returns replica_marks language plpgsql volatile as $$
declare
  standing replica_marks;
  last_place bigint;
  behind bigint;
begin
  select * into standing from replica_marks;
  if standing.at > clock_timestamp() - interval '1 second' then return standing; end if;
  last_place := pg_sequence_last_value('places');
  select least(min(last_place - (last_place - objid::bigint) % 2147483648), last_place) into behind
  from pg_locks
  where locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint <> hashtext('recaudo listener')::bigint & 4294967295;
  update replica_marks
  set no = no + 1, mark = gen_random_uuid(), at = clock_timestamp(), settled = behind
  where at <= clock_timestamp() - interval '1 second'
  returning * into standing;
  if not found then select * into standing from replica_marks; end if;
  return standing;
end $$;

-- Accounts that wrote lately, through any process: they read their own writes, from the primary.
create table account_writes (
  account_id text primary key,
  at timestamptz not null
) with (fillfactor = 50);
