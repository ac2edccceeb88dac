-- What a replica is known by: a mark that the primary changes once a second while somebody reads
-- from one. Whoever sees a mark there sees all that was committed before it was made.

-- `born` tells this database from others, `mark` its history from one that parted from it, `settled`
-- the place up to which no list gets another row: all that stand there were committed before.
create table replica_marks (
  one boolean primary key default true check (one),
  born uuid not null default gen_random_uuid(),
  no bigint not null default 0,
  mark uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  settled bigint not null default 0
) with (fillfactor = 10);
insert into replica_marks default values;

-- Makes a mark where the last one is a second old, and answers the one that stands. As in
-- `open_places` the last place is looked up before the locks; here those of all accounts count,
-- which leaves out only the locks of those who listen.
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

-- Who wrote lately, whichever process he asked: he reads what he wrote, so from the primary.
create table account_writes (
  account_id text primary key,
  at timestamptz not null
) with (fillfactor = 50);
