-- The foundation: accounts and keys, requests and what is paid on them, the ledger, events.
-- Every table that belongs to an account has account_id first in its keys, so that it can be
-- partitioned or distributed by account. Amounts are centavos. Percentages are parts per million.

-- Ids are handed out in blocks: one nextval gives the first of 1,000.
create sequence request_ids as bigint increment by 1000 start with 1 minvalue 1 maxvalue 999999999998001;
create sequence record_ids as bigint increment by 1000 start with 1 minvalue 1 maxvalue 9007199254740001;

-- How far the business clock runs ahead of the wall clock (the sandbox moves it; production is 0).
create table clock (
  only_row boolean primary key default true check (only_row),
  ahead_ms bigint not null default 0 check (ahead_ms >= 0)
);
insert into clock default values;

create table service_secrets (
  name text primary key,
  value bytea not null
);

create table calendar_days (
  day date primary key,
  kind text not null
);

create table accounts (
  id text primary key check (id ~ '^[0-9A-F]{8}$'),
  name text not null,
  cuit text not null check (cuit ~ '^[0-9]{11}$'),
  city text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null
);

create table api_keys (
  hash bytea primary key,
  account_id text not null,
  id bigint not null,
  name text not null,
  prefix text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create unique index api_keys_by_account on api_keys (account_id, id);

create table fees (
  account_id text not null,
  channel text not null,
  valid_from date not null,
  percentage_ppm integer not null check (percentage_ppm between 0 and 1000000),
  fixed bigint not null check (fixed >= 0),
  minimum bigint not null check (minimum >= 0),
  available_after_days smallint not null check (available_after_days between 0 and 366),
  primary key (account_id, channel, valid_from)
);

create table withholding_rates (
  cuit text not null,
  regime text not null,
  jurisdiction text not null,
  valid_from date not null,
  valid_to date,
  rate_ppm integer not null check (rate_ppm between 0 and 1000000),
  primary key (cuit, regime, jurisdiction, valid_from)
);

create table installment_plans (
  brand text not null,
  installments smallint not null check (installments between 1 and 60),
  coefficient_ppm integer not null check (coefficient_ppm >= 1000000),
  primary key (brand, installments)
);
insert into installment_plans (brand, installments, coefficient_ppm)
select brand, installments, coefficient_ppm
from unnest(array['visa', 'mastercard', 'amex', 'cabal', 'naranja']) as brand,
  (values (1, 1000000), (3, 1112500), (6, 1218400), (9, 1331700), (12, 1451900))
    as plan (installments, coefficient_ppm);

-- Everything that an account asks somebody to pay: one life, one id sequence.
create table requests (
  account_id text not null,
  id bigint not null,
  kind text not null,
  state text not null,
  version integer not null,
  created_at timestamptz not null,
  reference text,
  payer text not null,
  description text not null,
  due1 date not null,
  total1 bigint not null check (total1 > 0),
  due2 date,
  total2 bigint,
  last_due date not null,
  code text,
  mandate_id bigint,
  batch_id bigint,
  batch_index integer,
  details json not null,
  primary key (account_id, id)
);
create unique index requests_by_code on requests (account_id, code) where code is not null;
create index requests_by_kind on requests (account_id, kind, id);
create index requests_by_reference on requests (account_id, reference) where reference is not null;
create index requests_to_expire on requests (last_due) where state = 'pending';

-- An attempt to charge is stored before the channel is called. An unknown outcome blocks another.
create table attempts (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  channel text not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('started', 'unknown', 'done')),
  details json not null,
  started_at timestamptz not null,
  ask_at timestamptz not null,
  primary key (account_id, id)
);
create unique index attempts_one_open on attempts (account_id, request_id) where state <> 'done';
create index attempts_to_ask on attempts (ask_at) where state <> 'done';

-- Everything that happened to a request's money. A collected row carries what is left of it.
create table results (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  kind text not null,
  type text not null check (type in ('collected', 'rejected', 'chargeback', 'refund')),
  channel text not null,
  channel_label text not null,
  amount bigint not null check (amount > 0),
  net_fee bigint not null default 0,
  fee_iva bigint not null default 0,
  withheld bigint not null default 0,
  unreleased bigint not null default 0,
  refunded bigint not null default 0,
  charged_back bigint not null default 0,
  paid_at timestamptz not null,
  informed_at timestamptz not null,
  informed_on date not null,
  available_on date,
  released_on date,
  reverses_id bigint,
  source text not null,
  source_ref text not null,
  reference text,
  payer text not null,
  description text not null,
  details json not null,
  primary key (account_id, id),
  check (refunded between 0 and amount),
  check (charged_back in (0, amount))
);
create unique index results_once on results (account_id, source, source_ref);
create index results_by_request on results (account_id, request_id);
create index results_by_day on results (account_id, informed_on, type, id);
create index results_to_release on results (available_on)
  where type = 'collected' and released_on is null;

create table withholdings (
  account_id text not null,
  result_id bigint not null,
  no smallint not null,
  request_id bigint not null,
  regime text not null,
  jurisdiction text not null,
  base bigint not null,
  rate_ppm integer not null,
  amount bigint not null,
  certificate text not null,
  informed_on date not null,
  primary key (account_id, result_id, no)
);
create index withholdings_by_day on withholdings (account_id, informed_on);
create index withholdings_by_request on withholdings (account_id, request_id);

-- Double entry. A journal is one row; debits are positive, credits negative, and they cancel out.
create function sum_of(amounts bigint[]) returns bigint
  language sql immutable strict parallel safe
  return (select coalesce(sum(amount), 0)::bigint from unnest(amounts) as amount);

create table journals (
  account_id text not null,
  id bigint not null,
  kind text not null,
  result_id bigint,
  request_id bigint,
  at timestamptz not null,
  on_date date not null,
  accounts smallint[] not null,
  amounts bigint[] not null,
  primary key (account_id, id),
  check (cardinality(accounts) = cardinality(amounts)),
  check (sum_of(amounts) = 0)
);
create index journals_by_day on journals (account_id, on_date, kind);

-- One row for each posting statement and account: what it adds to each ledger account.
create table balance_deltas (
  account_id text not null,
  id bigint not null,
  accounts smallint[] not null,
  amounts bigint[] not null,
  journal_ids bigint[] not null,
  primary key (account_id, id)
);
create table balances (
  account_id text not null,
  ledger_account smallint not null,
  amount bigint not null,
  primary key (account_id, ledger_account)
);
create table seals (
  account_id text not null,
  no integer not null,
  journal_ids bigint[] not null,
  hash bytea not null,
  primary key (account_id, no)
);

-- Every write leaves an event; the outbox names those that webhooks deliver.
create table events (
  account_id text not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  id bigint not null,
  type text not null,
  at timestamptz not null,
  actor text not null,
  data json not null,
  position bigint,
  primary key (account_id, entity, entity_id, version)
);
create table outbox (
  account_id text not null,
  event_id bigint not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  primary key (account_id, event_id)
);

create table idempotency_keys (
  account_id text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamptz not null,
  primary key (account_id, path, key)
);
create index idempotency_keys_to_forget on idempotency_keys (created_at);

-- What the sandbox's simulated banks and processors remember of the charges put to them.
create table simulated_charges (
  account_id text not null,
  attempt_id bigint not null,
  outcome json not null,
  answers_at timestamptz not null,
  reverses_at timestamptz,
  reversed boolean not null default false,
  primary key (account_id, attempt_id)
);
create index simulated_charges_to_reverse on simulated_charges (reverses_at)
  where reverses_at is not null and not reversed;

-- History is written once: even the service's own role cannot change it.
revoke update, delete, truncate on journals from current_user;
revoke update, delete, truncate on seals from current_user;
