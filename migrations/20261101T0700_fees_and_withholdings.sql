-- What is taken from a collection, and on which terms: fees, plans of cards, taxes withheld.

-- An account's own terms for a channel, from a day on; without a row the standard terms hold.
create table fees (
  account_id text not null,
  channel text not null,
  valid_from date not null,
  -- The last day of own terms; after it the standard terms hold.
  valid_to date,
  percentage_ppm integer not null check (percentage_ppm between 0 and 1000000),
  fixed bigint not null check (fixed >= 0),
  minimum bigint not null check (minimum >= 0),
  available_after_days smallint not null check (available_after_days between 0 and 366),
  primary key (account_id, channel, valid_from)
);

-- What a payer pays in all, by brand and number of installments.
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

-- The card plans that are enabled for an account; a brand without a row has all that there are.
create table account_plans (
  account_id text not null,
  brand text not null,
  installments smallint[] not null,
  primary key (account_id, brand)
);

-- First digits of cards and what they are charged as, by the operator's file.
create table card_bins (
  prefix text primary key check (prefix ~ '^[0-9]{4,11}$'),
  kind text not null check (kind in ('credit', 'debit'))
);

-- At which rate a taxpayer's collections are withheld from, by the registers of the tax offices.
create table withholding_rates (
  cuit text not null,
  regime text not null,
  jurisdiction text not null,
  valid_from date not null,
  valid_to date,
  rate_ppm integer not null check (rate_ppm between 0 and 1000000),
  primary key (cuit, regime, jurisdiction, valid_from)
);

-- Register files that were imported: the same file is known by its hash.
create table registers (
  sha256 bytea primary key,
  name text not null,
  lines integer not null,
  added integer not null,
  changed integer not null,
  imported_at timestamptz not null
);
revoke delete, truncate on registers from current_user;

-- What was withheld of a result, one row for each regime, with its certificate. Never changes.
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
-- What was withheld of a request's results, told with them.
create index withholdings_by_request on withholdings (account_id, request_id);
revoke update, delete, truncate on withholdings from current_user;
