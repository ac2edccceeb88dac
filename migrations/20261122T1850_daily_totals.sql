-- What an account collected and gave back, by day and channel: pages of a year read a few hundred
-- rows, whatever the number of payments. Folded behind the seals of journals, so no posting knows
-- of it; what is not folded yet is added when it is read.

-- Results of one day, channel and type, as they were recorded: they never change.
create table daily_totals (
  account_id text not null,
  day date not null,
  channel text not null,
  type text not null check (type in ('collected', 'chargeback', 'refund')),
  results bigint not null,
  amount bigint not null,
  net_fee bigint not null,
  fee_iva bigint not null,
  withheld bigint not null,
  primary key (account_id, day, channel, type)
);

-- The last seal whose journals are in an account's totals. None: nothing is folded, as it is for
-- what was recorded before there were totals.
create table daily_total_marks (
  account_id text primary key,
  seal_no integer not null
);
