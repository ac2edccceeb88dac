-- Charges of cards that strangers typed, counted within an hour before they are made: by the digest
-- of the network that they come from, of the card, of an account's BIN and of the account.
create table card_tries (
  subject bytea primary key,
  tries int not null,
  since timestamptz not null
);
create index card_tries_by_time on card_tries (since);
