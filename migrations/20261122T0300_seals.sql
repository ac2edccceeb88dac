-- Seals of all rows that history is made of, in one chain for each account. A seal holds the salted
-- digests of some rows of one kind; its link, keyed by the vault, chains it to the one before.
drop table seals;
create table seals (
  account_id text not null,
  no integer not null,
  kind text not null,
  keys text[] not null,
  digests bytea[] not null,
  primary key (account_id, no),
  check (cardinality(keys) = cardinality(digests))
);
create table seal_links (
  account_id text not null,
  no integer not null,
  key_id text not null,
  sealed_at timestamptz not null,
  hash bytea not null,
  primary key (account_id, no)
);
-- Up to which transaction an account's events are sealed, and what they are about. '' is the least of all.
create table seal_marks (
  account_id text primary key,
  next_xid bigint not null
);
revoke update, delete, truncate on seals, seal_links from current_user;

-- Which transaction wrote an event: all of those that have ended are below a number that the
-- database knows, so who follows it misses none. A BRIN costs an insert next to nothing.
alter table events add column xid bigint not null default pg_current_xact_id()::text::bigint;
create index events_by_xid on events using brin (xid) with (autosummarize = on);
