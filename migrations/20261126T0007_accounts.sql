-- Accounts, which collect, and their API keys.

create table accounts (
  id text primary key check (id ~ '^[0-9A-F]{8}$'),
  -- A suspended one only reads, while incoming money is still recorded.
  state text not null default 'active' check (state in ('active', 'suspended', 'closed')),
  -- Counts the account's own events.
  version integer not null default 1,
  name text not null,
  cuit text not null check (cuit ~ '^[0-9]{11}$'),
  city text not null,
  -- Where payouts go.
  payout_cbu text check (payout_cbu ~ '^[0-9]{22}$'),
  -- A change of it waits until this moment of the wall clock. Both null: none waits.
  next_payout_cbu text check (next_payout_cbu ~ '^[0-9]{22}$'),
  next_payout_cbu_at timestamptz,
  constraint accounts_next_payout_cbu
    check ((next_payout_cbu is null) = (next_payout_cbu_at is null)),
  settings jsonb not null default '{}',
  -- Name, texts and logo on pages, coupons and mails; null: none set.
  look jsonb check (jsonb_typeof(look) = 'object'),
  -- In production a change of it waits for an operator; null: none waits.
  asked_look jsonb,
  created_at timestamptz not null
);
create index accounts_by_name on accounts (lower(name), id);
create index accounts_next_payout_cbu on accounts (next_payout_cbu_at)
  where next_payout_cbu_at is not null;
create index accounts_asked_look on accounts (id) where asked_look is not null;
-- Each sweep looks for what is left of closed accounts.
create index accounts_closed on accounts (id) where state = 'closed';
revoke delete, truncate on accounts from current_user;

-- Pictures, addressed by their content. The current one and the previous one are kept.
create table account_logos (
  account_id text not null,
  -- SHA-256 of the content, as the account's look names it.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  kind text not null check (kind in ('png', 'jpeg')),
  content bytea not null check (octet_length(content) <= 262144),
  -- False: it waits for approval, and only operators see it.
  shown boolean not null default true,
  primary key (account_id, hash)
);

-- Keys of the API, as hashes. Times are of the wall clock.
create table api_keys (
  hash bytea primary key,
  account_id text not null,
  id bigint not null,
  name text not null,
  -- The first characters, by which people recognise a key.
  prefix text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create unique index api_keys_by_account on api_keys (account_id, id);

-- The newest 100,000 API calls of each account within 14 days of the wall clock, for developers.
-- Never a body, a header or the value of a query parameter.
create table api_calls (
  account_id text not null,
  at timestamptz not null,
  request_id uuid not null,
  method text not null,
  -- With the names of query parameters.
  path text not null,
  -- 499: the caller left before the answer.
  status smallint not null,
  ms integer not null,
  key_id bigint,
  primary key (account_id, at, request_id)
);

-- Calls of a minute that were not logged under load.
create table api_calls_left_out (
  account_id text not null,
  at timestamptz not null,
  calls bigint not null,
  primary key (account_id, at)
);
