-- Debits: requests that are put to a bank or card processor on a mandate.

-- Each time that a debit is put to the bank or processor: its day, and the second due's.
create table debit_runs (
  account_id text not null,
  request_id bigint not null,
  no smallint not null check (no in (1, 2)),
  kind text not null constraint debit_runs_kind_check
    check (kind in ('debit_request', 'card_debit_request')),
  -- The day on which it is handed over, and the one on which it is taken from the holder.
  submit_on date not null,
  run_on date not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('waiting', 'submitted', 'done')),
  -- What the bank or processor answered, where it was not the end of the debit.
  code text,
  -- The file in which it went out (null: in none yet), and the bank account or card that it named.
  file_id bigint,
  instrument_no smallint,
  primary key (account_id, request_id, no)
);
-- The sweep that hands over.
create index debit_runs_to_submit on debit_runs (submit_on) where state = 'waiting';
-- What was handed over and has no answer: the next file of a kind, the simulated banks' answers.
create index debit_runs_submitted on debit_runs (kind, run_on) where state = 'submitted';
-- The runs of a file, when it is written and when it is answered.
create index debit_runs_by_file on debit_runs (file_id) where file_id is not null;
revoke delete, truncate on debit_runs from current_user;
