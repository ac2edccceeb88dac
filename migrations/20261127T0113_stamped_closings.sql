-- Stamp of an alarm's closing. An alarm about a forged row counts as open without it, because an
-- open one blocks the account's payouts.
alter table money_alarms add column closing_stamp bytea;
create index money_alarms_forged on money_alarms (id)
  where kind in ('forged_journal', 'forged_fact');
