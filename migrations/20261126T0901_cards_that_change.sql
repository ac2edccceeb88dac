-- Cards on file that their issuer replaces or closes, and the network's name for what was agreed.
alter table kept_cards
  -- The network's id of the payment by which the holder agreed, or of the first debit.
  add column network_transaction_id text,
  -- When the account is told that the card expires soon; null: it was, or the month is not known.
  add column warn_at timestamptz;
-- `closed`: its issuer says so; it is not charged until the issuer says otherwise.
alter table kept_cards drop constraint kept_cards_state_check;
alter table kept_cards add constraint kept_cards_state_check check
  (state in ('sent', 'refused', 'kept', 'closed', 'forgetting', 'forgotten'));
alter table kept_cards drop constraint kept_cards_check;
alter table kept_cards add constraint kept_cards_check check
  ((reference is not null) = (state in ('kept', 'closed', 'forgetting')));
create index kept_cards_to_warn on kept_cards (warn_at)
  where warn_at is not null and state = 'kept';
