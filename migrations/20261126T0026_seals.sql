-- Seals: digests of all rows of history, in one chain for each account. They reveal changes made
-- past the service. Seals and links never change.

-- The salted digests of some rows of one kind.
create table seals (
  account_id text not null,
  no integer not null,
  kind text not null,
  keys text[] not null,
  digests bytea[] not null,
  check (cardinality(keys) = cardinality(digests)),
  primary key (account_id, no)
);

-- Chains a seal to the previous one, with a key of the vault.
create table seal_links (
  account_id text not null,
  no integer not null,
  key_id text not null,
  sealed_at timestamptz not null,
  hash bytea not null,
  primary key (account_id, no)
);
revoke update, delete, truncate on seals, seal_links from current_user;

-- The transaction up to which an account's events, and the rows that they are about, are sealed. The
-- row '' holds the least of all.
create table seal_marks (
  account_id text primary key,
  next_xid bigint not null,
  -- In a cluster that a dump was restored into, old events have transaction numbers that are yet to
  -- come. Those up to this id were sealed then, and are not taken for new ones.
  restored_id bigint not null default 0
);

-- The last seal of each account and day, to be published outside. The audit compares the chains with
-- the copy outside; these rows say what is still to be sent.
create table anchors (
  account_id text not null,
  day date not null,
  seal_no integer not null,
  hash bytea not null,
  sent_at timestamptz,
  primary key (account_id, day)
);
create index anchors_unsent on anchors (day, account_id) where sent_at is null;
