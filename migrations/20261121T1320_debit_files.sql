-- Files of direct debits: what went out and what came back, and the accounts and cards before.

-- A mandate is known to banks by its id alone: files carry no account.
create index mandates_by_id on mandates (kind, id);

-- Goes up each time that another bank account or card takes the place of the one before.
alter table mandates add column instrument_no smallint not null default 1;

-- The accounts and cards before. A card's context is its mandate, as it was there.
create table mandate_instruments (
  account_id text not null,
  kind text not null,
  mandate_id bigint not null,
  no smallint not null,
  cbu text,
  card_key_id text,
  card_ciphertext bytea,
  replaced_at timestamptz not null,
  primary key (account_id, kind, mandate_id, no),
  check ((card_ciphertext is null) = (card_key_id is null)),
  check ((card_ciphertext is null) <> (cbu is null))
);

-- The account or card with which a run went out in its file.
alter table debit_runs add column instrument_no smallint;
create index debit_runs_by_file on debit_runs (file_id) where file_id is not null;

-- Lines of these files tell more than payments, and some tell no amount.
alter table rail_lines drop constraint rail_lines_outcome_check;
alter table rail_lines drop constraint rail_lines_amount_check;
alter table rail_lines add check (amount >= 0);
alter table rail_lines add check (outcome in ('collected', 'suspense', 'paid', 'rejected',
  'retried', 'in_process', 'reversed', 'mandate_closed', 'instrument_changed', 'known',
  'unmatched', 'notice'));
-- What the bank or processor gave as the reason.
alter table rail_lines add column reject_code text;
alter table rail_lines add column note text;
