-- Sums of a draft's amounts, in centavos; null: not checked, or its kind has no amount. The first
-- adds up all rows, except those counted as unread, the second the rows that would be created.
alter table imports
  add column rows_amount bigint,
  add column unread_amounts integer,
  add column sound_amount bigint;
