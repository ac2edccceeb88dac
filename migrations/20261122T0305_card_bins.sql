-- First digits of cards and what they are charged as, by the operator's file.
create table card_bins (
  prefix text primary key check (prefix ~ '^[0-9]{4,11}$'),
  kind text not null check (kind in ('credit', 'debit'))
);
