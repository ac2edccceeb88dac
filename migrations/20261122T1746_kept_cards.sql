-- Cards on file at a connector: mandates whose number nobody here knows.

alter table mandates add column keeps_card boolean not null default false,
  add constraint mandates_keeps_card check
    (not keeps_card or (kind = 'card_adhesion' and card_ciphertext is null)),
  drop constraint mandates_check3,
  add constraint mandates_card_number check
    (kind <> 'card_adhesion' or keeps_card
      or (card_ciphertext is null) = (card_erased_at is not null));

-- The card of such a mandate, from the moment in which its holder hands it over.
create table kept_cards (
  account_id text not null,
  mandate_id bigint not null,
  -- Each card that is handed over has another name at the connector.
  no smallint not null check (no > 0),
  connector text not null,
  channel text not null check (channel in ('credit_card', 'debit_card')),
  -- `sent`: whether it is kept is not known; `refused`: it is not, and its holder may take another;
  -- `forgetting`: to be charged no more.
  state text not null check (state in ('sent', 'refused', 'kept', 'forgetting', 'forgotten')),
  -- What it is charged by; never a number.
  reference text check ((reference is not null) = (state in ('kept', 'forgetting'))),
  bin text,
  -- What its holder agreed to as he handed it over, until it is signed.
  signing json,
  -- When the connector is asked, or told to forget it.
  ask_at timestamptz check ((ask_at is not null) = (state in ('sent', 'forgetting'))),
  primary key (account_id, mandate_id)
);
create index kept_cards_to_ask on kept_cards (ask_at) where ask_at is not null;

-- Runs that a connector charges, and no file carries: the attempt, once there is one, and when it
-- is looked at.
alter table debit_runs add column charged boolean not null default false,
  add column attempt_id bigint, add column look_at timestamptz;
create index debit_runs_to_charge on debit_runs (account_id, request_id)
  where charged and state = 'submitted';
