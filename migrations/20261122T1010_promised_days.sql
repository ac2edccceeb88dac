-- The day on which a collection's money was promised, where that was moved to another one: reports
-- of the day on which it was informed go on to say it.
alter table results add column promised_on date;
alter table results add constraint results_promised_check
  check (promised_on is null or (available_on is not null and promised_on <> available_on));
