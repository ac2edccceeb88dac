-- What every other subject builds on: ids, the business clock, idempotency keys, sweeps.
--
-- Rules for all files of this folder:
-- Amounts are centavos, percentages parts per million. Times are of the business clock unless a
-- comment names the wall clock.
-- Tables of an account have account_id first in their keys, so they partition and distribute by
-- account. Hot tables have no foreign key to accounts: each insert would lock the account's row.
-- A right that the owner revokes from itself is denied to every role: the serving role gets what
-- the owner kept (src/platform/postgres/roles.ts).

-- Ids of everything without a sequence of its own. One nextval takes a block of 1,000.
create sequence record_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 9007199254740001;

-- The sandbox moves its business clock ahead of the wall clock; in production both are the same.
create table clock (
  only_row boolean primary key default true check (only_row),
  ahead_ms bigint not null default 0 check (ahead_ms >= 0)
);
insert into clock default values;

-- Numbers the notifications to all processes, so a sender can wait until each has acted on one.
create sequence told as bigint;

-- Answers to calls with an Idempotency-Key, for their repetition.
create table idempotency_keys (
  account_id text not null,
  path text not null,
  key text not null,
  -- Of the body: the same key with another body is refused.
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  -- Wall clock.
  created_at timestamptz not null,
  primary key (account_id, path, key)
);
create index idempotency_keys_to_forget on idempotency_keys (created_at);

-- The last run and the last failure of each sweep, whichever process ran it.
create table sweep_runs (
  name text primary key,
  ran_at timestamptz,
  took_ms integer,
  moved integer,
  failed_at timestamptz,
  error text
);
