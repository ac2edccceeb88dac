-- Money beside collections: payouts, corrections, money that no request is known for, registers.

-- A journal that no result caused names what did.
alter table journals
  add column cause text check (cause ~ '^[a-z]+:[0-9]+$'),
  add check (num_nonnulls(result_id, cause) = 1);

-- Its version counts the account's own events.
alter table accounts
  add column version integer not null default 1,
  add column payout_cbu text check (payout_cbu ~ '^[0-9]{22}$');

-- The last day of own terms; after it the standard terms hold.
alter table fees add column valid_to date;

create table payouts (
  account_id text not null,
  id bigint not null,
  reference text not null,
  state text not null check (state in ('sent', 'returned')),
  amount bigint not null check (amount > 0),
  cbu text not null,
  sent_at timestamptz not null,
  returned_at timestamptz,
  return_reason text,
  primary key (account_id, id),
  unique (account_id, reference)
);

-- Positive amounts were given to the holder, negative ones taken from him.
create table corrections (
  account_id text not null,
  id bigint not null,
  reference text not null,
  amount bigint not null check (amount <> 0),
  note text not null,
  posted_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, reference)
);
revoke update, delete, truncate on corrections from current_user;

-- Money that came in and belongs to no request that is known. account_id is the operator's own
-- books until somebody finds out whose it is.
create table suspense (
  account_id text not null,
  id bigint not null,
  state text not null check (state in ('open', 'assigned', 'returned')),
  reason text not null,
  channel text not null,
  channel_label text not null,
  code text not null,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  source text not null,
  source_ref text not null,
  informed_at timestamptz not null,
  to_account_id text,
  to_request_id bigint,
  resolved_at timestamptz,
  note text,
  primary key (account_id, id),
  unique (account_id, source, source_ref)
);
create index suspense_open on suspense (account_id, id) where state = 'open';

-- Register files that were imported: the same file is known by its hash.
create table registers (
  sha256 bytea primary key,
  name text not null,
  lines integer not null,
  added integer not null,
  changed integer not null,
  imported_at timestamptz not null
);
