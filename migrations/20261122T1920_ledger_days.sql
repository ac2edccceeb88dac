-- What each ledger account moved by day and kind of journal: statements of months and reports of
-- periods read some hundred rows, whatever the number of payments. Folded behind the seals of
-- journals, so no posting knows of it; what is not folded yet is added when it is read.

-- Lines of the journals of one day and kind on one ledger account. Journals never change.
create table ledger_days (
  account_id text not null,
  ledger_account smallint not null,
  day date not null,
  kind text not null,
  -- How many lines were debits, and what they come to; and credits, without their sign.
  debits bigint not null,
  debit bigint not null,
  credits bigint not null,
  credit bigint not null,
  primary key (account_id, ledger_account, day, kind)
);

-- The last seal whose journals are in an account's days. None: nothing is folded.
create table ledger_day_marks (
  account_id text primary key,
  seal_no integer not null
);

-- From a figure to its journals: those of one kind, by day.
create index journals_by_kind on journals (account_id, kind, on_date, id);
