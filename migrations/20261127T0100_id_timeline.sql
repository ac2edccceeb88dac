-- The timeline on which ids were last drawn. A promoted standby starts another timeline, and may
-- lack the last ids that the old primary issued, so the first draw on it skips ahead.
create table id_timeline (
  only_row boolean primary key default true check (only_row),
  timeline integer not null
);
insert into id_timeline (timeline)
values (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer);
