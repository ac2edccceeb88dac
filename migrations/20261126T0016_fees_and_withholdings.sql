-- Terms of collections: fees, card plans, taxes withheld.

-- An account's own terms for a channel; without a row the standard terms apply.
create table fees (
  account_id text not null,
  channel text not null,
  valid_from date not null,
  -- The last day; after it the standard terms apply.
  valid_to date,
  percentage_ppm integer not null check (percentage_ppm between 0 and 1000000),
  fixed bigint not null check (fixed >= 0),
  minimum bigint not null check (minimum >= 0),
  available_after_days smallint not null check (available_after_days between 0 and 366),
  primary key (account_id, channel, valid_from)
);

-- The factor on what a payer pays, by brand and number of installments.
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

-- An account's card plans; a brand without a row has all plans.
create table account_plans (
  account_id text not null,
  brand text not null,
  installments smallint[] not null,
  primary key (account_id, brand)
);

-- Card prefixes and the kind of card that they belong to, from the operator's file.
create table card_bins (
  prefix text primary key check (prefix ~ '^[0-9]{4,11}$'),
  kind text not null check (kind in ('credit', 'debit'))
);

-- A taxpayer's rates, from the registers of the tax offices.
create table withholding_rates (
  cuit text not null,
  regime text not null,
  jurisdiction text not null,
  valid_from date not null,
  valid_to date,
  rate_ppm integer not null check (rate_ppm between 0 and 1000000),
  -- The audit computes withholdings again from the rates known at the time.
  known_since timestamptz not null default '-infinity',
  primary key (cuit, regime, jurisdiction, valid_from)
);

-- Rates that a later register changed. Never changes.
create table former_withholding_rates (
  cuit text not null,
  regime text not null,
  jurisdiction text not null,
  valid_from date not null,
  valid_to date,
  rate_ppm integer not null,
  known_since timestamptz not null,
  known_until timestamptz not null,
  primary key (cuit, regime, jurisdiction, valid_from, known_until)
);
revoke update, delete, truncate on former_withholding_rates from current_user;

-- Imported register files: the hash tells a repeated one.
create table registers (
  sha256 bytea primary key,
  name text not null,
  lines integer not null,
  added integer not null,
  changed integer not null,
  imported_at timestamptz not null
);
revoke delete, truncate on registers from current_user;

-- Taxes withheld from a result, one row for each regime, with its certificate. Never changes.
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
-- Reports of a day, in the order of their pages.
create index withholdings_by_day on withholdings (account_id, informed_on, result_id, no);
create index withholdings_by_request on withholdings (account_id, request_id);
revoke update, delete, truncate on withholdings from current_user;
