-- What issuers hold for charges that were authorised first. One row decides how the hold of a charge
-- ends, before anything is ordered, and never changes: a captured charge is not voided, and a voided
-- one not captured.
create table card_holds (
  account_id text not null,
  attempt_id bigint not null,
  request_id bigint not null,
  -- The acquirer's id of the charge.
  reference text not null,
  amount bigint not null check (amount > 0),
  ordered text not null check (ordered in ('capture', 'void')),
  -- Why it is voided.
  why text check (why in ('late', 'not_payable', 'excluded', 'amount')),
  authorized_at timestamptz not null,
  expires_at timestamptz not null,
  -- When to ask for a hold whose attempt had ended; an open attempt has a moment of its own.
  ask_at timestamptz,
  stamp bytea,
  primary key (account_id, attempt_id),
  check ((why is null) = (ordered = 'capture'))
);
create index card_holds_to_ask on card_holds (ask_at) where ask_at is not null;
-- A decision that were forgotten could be made again, otherwise.
revoke delete, truncate on card_holds from current_user;
