-- Who collects, and the keys with which they call.

-- One that collects. Rows are never deleted.
create table accounts (
  id text primary key check (id ~ '^[0-9A-F]{8}$'),
  -- What it may do: all; read alone while money that comes in is still recorded; nothing.
  state text not null default 'active' check (state in ('active', 'suspended', 'closed')),
  -- Counts the account's own events.
  version integer not null default 1,
  name text not null,
  cuit text not null check (cuit ~ '^[0-9]{11}$'),
  city text not null,
  -- Where payouts go.
  payout_cbu text check (payout_cbu ~ '^[0-9]{22}$'),
  settings jsonb not null default '{}',
  created_at timestamptz not null
);
revoke delete, truncate on accounts from current_user;

-- Keys of the API: only their hashes. All times are of the wall clock.
create table api_keys (
  hash bytea primary key,
  account_id text not null,
  id bigint not null,
  name text not null,
  -- Its first characters, by which people tell keys apart.
  prefix text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
-- The account's list of keys; which one a command revokes or a call used.
create unique index api_keys_by_account on api_keys (account_id, id);
