-- The number of a canceled card mandate is erased when no debit on it may be reversed any more.
alter table mandates
  -- When to see whether it may be erased; by the business clock.
  add column card_erase_at timestamptz,
  add column card_erased_at timestamptz,
  drop constraint mandates_check1,
  add check (kind = 'card_adhesion' or card_ciphertext is null),
  add check (kind <> 'card_adhesion' or (card_ciphertext is null) = (card_erased_at is not null)),
  add check (card_erased_at is null or state = 'canceled');
update mandates set card_erase_at = canceled_at where kind = 'card_adhesion' and state = 'canceled';
create index mandates_to_erase on mandates (card_erase_at) where card_ciphertext is not null;

-- The cards before go with it.
alter table mandate_instruments drop constraint mandate_instruments_check1,
  add check (cbu is null or card_ciphertext is null);
