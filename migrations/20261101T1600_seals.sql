-- Seals of all rows that history is made of, in one chain for each account: what was changed behind
-- the service's back is found. Neither seals nor their links ever change.

-- A seal holds the salted digests of some rows of one kind.
create table seals (
  account_id text not null,
  no integer not null,
  kind text not null,
  keys text[] not null,
  digests bytea[] not null,
  check (cardinality(keys) = cardinality(digests)),
  primary key (account_id, no)
);

-- Its link, keyed by the vault, chains it to the one before.
create table seal_links (
  account_id text not null,
  no integer not null,
  key_id text not null,
  sealed_at timestamptz not null,
  hash bytea not null,
  primary key (account_id, no)
);
revoke update, delete, truncate on seals, seal_links from current_user;

-- Up to which transaction an account's events are sealed, and what they are about. '' is the least
-- of all.
create table seal_marks (
  account_id text primary key,
  next_xid bigint not null
);
