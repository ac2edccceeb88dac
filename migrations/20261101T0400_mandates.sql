-- Mandates: what a holder signed, so that debits may be taken from his bank account or card.

create sequence adhesion_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 9007199254740001;
create sequence card_adhesion_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 9007199254740001;

-- A mandate on a bank account (adhesion) or on a card. A card's number lies here as ciphertext only;
-- its context is the mandate that it belongs to.
create table mandates (
  account_id text not null,
  kind text not null check (kind in ('adhesion', 'card_adhesion')),
  id bigint not null,
  state text not null,
  state_comment text,
  version integer not null,
  created_at timestamptz not null,
  sign_before timestamptz not null,
  signed_at timestamptz,
  canceled_at timestamptz,
  -- Each new link to sign has the next number, and the one before is good no longer.
  link_no smallint not null default 1,
  -- What is known of the moment in which the holder signed or declined.
  evidence json,
  reference text,
  holder text not null,
  email text not null,
  description text not null,
  payer text not null,
  -- Goes up each time that another bank account or card takes the place of the one before.
  instrument_no smallint not null default 1,
  cbu text,
  card_key_id text,
  card_ciphertext bytea,
  check ((kind = 'adhesion') = (cbu is not null)),
  check (kind = 'card_adhesion' or card_ciphertext is null),
  check ((card_ciphertext is null) = (card_key_id is null)),
  -- The number of a canceled one is erased when no debit on it may be reversed any more: when to
  -- see whether it may, and when it was.
  card_erase_at timestamptz,
  card_erased_at timestamptz,
  check (kind <> 'card_adhesion' or (card_ciphertext is null) = (card_erased_at is not null)),
  check (card_erased_at is null or state = 'canceled'),
  -- The rest of what was sent; told again as it came.
  details json not null,
  primary key (account_id, kind, id)
);
-- Files of banks and card processors: they carry an id and no account.
create index mandates_by_id on mandates (kind, id);
-- Lists by external_reference.
create index mandates_by_reference on mandates (account_id, kind, reference)
  where reference is not null;
-- The sweep that ends what was not signed in time.
create index mandates_to_sign on mandates (sign_before) where state = 'pending_to_sign';
-- The sweep that erases numbers of canceled cards.
create index mandates_to_erase on mandates (card_erase_at) where card_ciphertext is not null;
revoke delete, truncate on mandates from current_user;

-- The bank accounts and cards before, which runs already sent still name. A card's context is its
-- mandate, as it was there; its number is erased with the mandate's own.
create table mandate_instruments (
  account_id text not null,
  kind text not null,
  mandate_id bigint not null,
  no smallint not null,
  cbu text,
  card_key_id text,
  card_ciphertext bytea,
  check ((card_ciphertext is null) = (card_key_id is null)),
  check (cbu is null or card_ciphertext is null),
  replaced_at timestamptz not null,
  primary key (account_id, kind, mandate_id, no)
);
revoke delete, truncate on mandate_instruments from current_user;

-- The key pairs that accounts encrypt card numbers for on their way here, one a month for each
-- account that asks; the private half sealed by the vault.
create table card_transport_keys (
  account_id text not null,
  no integer not null check (no > 0),
  vault_key_id text not null,
  ciphertext bytea not null,
  made_at timestamptz not null,
  primary key (account_id, no)
);
