-- The bank account that payouts are to go to, from a moment of the wall clock on; until then they go
-- to the one before. Both null: no change waits.
alter table accounts
  add column next_payout_cbu text check (next_payout_cbu ~ '^[0-9]{22}$'),
  add column next_payout_cbu_at timestamptz,
  add constraint accounts_next_payout_cbu
    check ((next_payout_cbu is null) = (next_payout_cbu_at is null));
create index accounts_next_payout_cbu on accounts (next_payout_cbu_at)
  where next_payout_cbu_at is not null;
