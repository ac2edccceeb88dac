-- What the audit works out again follows from what was known when it was recorded.

-- Since when a rate has been known. Null: it was imported before this was noted, so what follows
-- from it is not worked out again.
alter table withholding_rates add column known_since timestamptz;
alter table withholding_rates alter column known_since set default '-infinity';

-- Rates as they were until a later register said otherwise. Never changes.
create table former_withholding_rates (
  cuit text not null,
  regime text not null,
  jurisdiction text not null,
  valid_from date not null,
  valid_to date,
  rate_ppm integer not null,
  known_since timestamptz,
  known_until timestamptz not null,
  primary key (cuit, regime, jurisdiction, valid_from, known_until)
);
revoke update, delete, truncate on former_withholding_rates from current_user;
