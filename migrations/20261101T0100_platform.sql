-- What every noun stands on: the clock, ids, keys of the service's own, repeated calls, mails, days.
--
-- In all of these files: amounts are centavos, percentages parts per million. What belongs to an
-- account has account_id first in its keys, so that it can be partitioned or distributed by account.
-- Hot tables have no foreign key to accounts: each row would lock its account. Times are of the
-- business clock unless they say otherwise. What the owner takes from itself here (revoke), no role
-- gets: a serving role is given what the owner kept (src/platform/postgres/roles.ts).

-- Ids are handed out in blocks: one nextval gives the first of 1,000.
-- Ids of whatever has no sequence of its own: results, journals, events, keys, webhooks, files …
create sequence record_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 9007199254740001;

-- How far the business clock runs ahead of the wall clock (the sandbox moves it; production is 0).
create table clock (
  only_row boolean primary key default true check (only_row),
  ahead_ms bigint not null default 0 check (ahead_ms >= 0)
);
insert into clock default values;

-- Days that the operator set: holidays, and working days that the built-in calendar would not have.
create table calendar_days (
  day date primary key,
  kind text not null
);

-- Keys of the service's own: links are signed and secrets of webhooks derived with them. They lie
-- here sealed by the vault, numbered, so that a token or a webhook can name the one it was made with.
create table service_keys (
  purpose text not null check (purpose in ('links', 'webhooks')),
  no integer not null check (no > 0),
  vault_key_id text,
  -- Its context is its purpose and number. Erased when it is retired.
  ciphertext bytea,
  -- From when on new things are made with it; by the wall clock.
  used_from timestamptz not null,
  -- Until when things were made with it, and when to see whether any of them is left.
  replaced_at timestamptz,
  look_at timestamptz,
  retired_at timestamptz,
  primary key (purpose, no),
  check ((ciphertext is null) = (retired_at is not null)),
  check ((ciphertext is null) = (vault_key_id is null)),
  check ((look_at is null) = (replaced_at is null or retired_at is not null))
);

-- What a call with an Idempotency-Key was answered, so that its repetition is answered the same.
create table idempotency_keys (
  account_id text not null,
  path text not null,
  key text not null,
  -- Of the call's body: the same key with another body is refused.
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  -- By the wall clock.
  created_at timestamptz not null,
  primary key (account_id, path, key)
);
-- The sweep that forgets old ones.
create index idempotency_keys_to_forget on idempotency_keys (created_at);

-- Letters to payers and holders, written in the transaction that gives rise to them.
create table mails (
  account_id text not null,
  id bigint not null,
  recipient text not null,
  subject text not null,
  body text not null,
  -- A letter has its link only when it is sent: here it says which one that is.
  link_kind text,
  link_id bigint,
  link_no smallint,
  check (num_nulls(link_kind, link_id, link_no) in (0, 3)),
  state text not null check (state in ('waiting', 'sent', 'failed')),
  attempts smallint not null,
  -- When it may be sent, or sent again; by the wall clock.
  next_at timestamptz not null,
  primary key (account_id, id)
);
-- The worker that sends: which accounts have letters that are due, and each one's in order.
create index mails_to_send on mails (next_at) where state = 'waiting';
