-- Mandates: a holder's signature that lets an account debit a bank account or card.

create sequence adhesion_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 9007199254740001;
create sequence card_adhesion_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 9007199254740001;

-- On a bank account (adhesion) or on a card (card_adhesion). A card's number is stored encrypted,
-- with its mandate as context.
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
  -- Each new link to sign has the next number and invalidates the previous one.
  link_no smallint not null default 1,
  -- Circumstances of the signature or refusal.
  evidence json,
  reference text,
  holder text not null,
  email text not null,
  description text not null,
  payer text not null,
  -- Goes up each time that another bank account or card replaces the current one.
  instrument_no smallint not null default 1,
  cbu text,
  card_key_id text,
  card_ciphertext bytea,
  -- A connector has the card (kept_cards), and no number is stored here.
  keeps_card boolean not null default false,
  -- The number of a canceled card is erased once no debit on it can be reversed any more: when to
  -- look, and when it was erased.
  card_erase_at timestamptz,
  card_erased_at timestamptz,
  check ((kind = 'adhesion') = (cbu is not null)),
  check (kind = 'card_adhesion' or card_ciphertext is null),
  check ((card_ciphertext is null) = (card_key_id is null)),
  constraint mandates_keeps_card
    check (not keeps_card or (kind = 'card_adhesion' and card_ciphertext is null)),
  constraint mandates_card_number
    check (kind <> 'card_adhesion' or keeps_card
      or (card_ciphertext is null) = (card_erased_at is not null)),
  check (card_erased_at is null or state = 'canceled'),
  -- The other members of the body, returned as they came.
  details json not null,
  -- In the order of lists: see take_place.
  place bigint not null,
  primary key (account_id, kind, id)
);
-- Files of banks and card processors carry an id and no account.
create index mandates_by_id on mandates (kind, id);
-- The sweep that ends what was not signed in time.
create index mandates_to_sign on mandates (sign_before) where state = 'pending_to_sign';
-- The sweep that erases numbers of canceled cards.
create index mandates_to_erase on mandates (card_erase_at) where card_ciphertext is not null;
-- Numbers under an older key of the vault.
create index mandates_by_card_key on mandates (card_key_id) where card_key_id is not null;

-- Lists, and an index for each filter of them.
create index mandates_by_place on mandates (account_id, kind, place, id);
create index mandates_list_reference on mandates (account_id, kind, reference, id)
  where reference is not null;
create index mandates_list_holder on mandates (account_id, kind, folded(holder), id);
create index mandates_list_state on mandates (account_id, kind, state, id);
create index mandates_list_created on mandates (account_id, kind, created_at, id);
-- Mandates are created one at a time, each with a mail, so words are indexed as they are written. A
-- search also scans the pending list, so it is kept short.
create index mandates_by_words on mandates using gin (
  words_of(account_id, holder || ' ' || payer || ' ' || coalesce(reference, ''))
) with (gin_pending_list_limit = 1024);
revoke delete, truncate on mandates from current_user;

-- Replaced bank accounts and cards, which runs already sent still name. A card's number is erased
-- together with its mandate's.
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
create index mandate_instruments_by_card_key on mandate_instruments (card_key_id)
  where card_key_id is not null;
revoke delete, truncate on mandate_instruments from current_user;

-- Cards on file at a connector, from the moment in which the holder hands one over.
create table kept_cards (
  account_id text not null,
  mandate_id bigint not null,
  -- Each card handed over has another name at the connector.
  no smallint not null check (no > 0),
  connector text not null,
  channel text not null check (channel in ('credit_card', 'debit_card')),
  -- `sent`: the connector has not answered; `refused`: the holder may hand over another card;
  -- `forgetting`: no longer charged, and the connector has yet to confirm.
  state text not null check (state in ('sent', 'refused', 'kept', 'forgetting', 'forgotten')),
  -- What it is charged by; never a number.
  reference text check ((reference is not null) = (state in ('kept', 'forgetting'))),
  bin text,
  -- The holder's consent at hand-over, until the mandate is signed.
  signing json,
  -- When to ask the connector, or to tell it to forget.
  ask_at timestamptz check ((ask_at is not null) = (state in ('sent', 'forgetting'))),
  primary key (account_id, mandate_id)
);
create index kept_cards_to_ask on kept_cards (ask_at) where ask_at is not null;

-- Key pairs for which accounts encrypt card numbers in transit, one a month for each account that
-- asks. The private half is encrypted by the vault.
create table card_transport_keys (
  account_id text not null,
  no integer not null check (no > 0),
  vault_key_id text not null,
  ciphertext bytea not null,
  made_at timestamptz not null,
  primary key (account_id, no)
);
