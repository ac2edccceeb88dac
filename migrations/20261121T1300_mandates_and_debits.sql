-- Mandates (adhesions) on bank accounts and cards, the runs of debits on them, and mails.

create sequence adhesion_ids as bigint increment by 1000 start with 1 minvalue 1
  maxvalue 9007199254740001;
create sequence card_adhesion_ids as bigint increment by 1000 start with 1 minvalue 1
  maxvalue 9007199254740001;

-- A card's number lies here as ciphertext only; its context is the mandate that it belongs to.
create table mandates (
  account_id text not null,
  kind text not null check (kind in ('adhesion', 'card_adhesion')),
  id bigint not null,
  state text not null,
  version integer not null,
  created_at timestamptz not null,
  sign_before timestamptz not null,
  reference text,
  holder text not null,
  email text not null,
  description text not null,
  payer text not null,
  cbu text,
  card_key_id text,
  card_ciphertext bytea,
  details json not null,
  signed_at timestamptz,
  canceled_at timestamptz,
  state_comment text,
  primary key (account_id, kind, id),
  check ((kind = 'adhesion') = (cbu is not null)),
  check ((kind = 'card_adhesion') = (card_ciphertext is not null)),
  check ((card_ciphertext is null) = (card_key_id is null))
);
create index mandates_to_sign on mandates (sign_before) where state = 'pending_to_sign';
create index mandates_by_reference on mandates (account_id, kind, reference)
  where reference is not null;

-- Each time that a debit is put to the bank or card processor: its day, and the second due's.
create table debit_runs (
  account_id text not null,
  request_id bigint not null,
  no smallint not null check (no in (1, 2)),
  kind text not null,
  submit_on date not null,
  run_on date not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('waiting', 'submitted', 'done')),
  -- What the bank or processor answered, where it was not the end of the debit.
  code text,
  -- The file in which it went out; null: in none yet.
  file_id bigint,
  primary key (account_id, request_id, no)
);
create index debit_runs_to_submit on debit_runs (submit_on) where state = 'waiting';
create index debit_runs_submitted on debit_runs (kind, run_on) where state = 'submitted';
create index requests_by_mandate on requests (account_id, mandate_id) where mandate_id is not null;

-- Debits that the sandbox's holders take back.
create table simulated_reversals (
  account_id text not null,
  source_ref text not null,
  request_id bigint not null,
  reverses_at timestamptz not null,
  reversed boolean not null default false,
  primary key (account_id, source_ref)
);
create index simulated_reversals_due on simulated_reversals (reverses_at) where not reversed;

create table mails (
  account_id text not null,
  id bigint not null,
  recipient text not null,
  subject text not null,
  body text not null,
  state text not null check (state in ('waiting', 'sent', 'failed')),
  attempts smallint not null,
  next_at timestamptz not null,
  primary key (account_id, id)
);
create index mails_to_send on mails (next_at) where state = 'waiting';
