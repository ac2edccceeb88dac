-- Runs: each time that a debit is put to a bank or card processor, at its first and second due.
create table debit_runs (
  account_id text not null,
  request_id bigint not null,
  no smallint not null check (no in (1, 2)),
  kind text not null constraint debit_runs_kind_check
    check (kind in ('debit_request', 'card_debit_request')),
  -- The day of hand-over, and the day on which the holder is debited.
  submit_on date not null,
  run_on date not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('waiting', 'submitted', 'done')),
  -- The answer of the bank or processor, unless it ended the debit.
  code text,
  -- The file that carried it (null: none yet), and the bank account or card that it named.
  file_id bigint,
  instrument_no smallint,
  -- A connector charges it, and no file carries it.
  charged boolean not null default false,
  attempt_id bigint,
  look_at timestamptz,
  -- How often its charge was ordered, and the day of the first try: if an acquirer loses orders,
  -- the payer must not be charged again and again.
  orders smallint not null default 0 check (orders >= 0),
  tried_on date,
  primary key (account_id, request_id, no)
);
-- An account's runs of a day.
create index debit_runs_by_day on debit_runs (account_id, run_on, request_id, no);
-- The sweep that hands over.
create index debit_runs_to_submit on debit_runs (submit_on) where state = 'waiting';
create index debit_runs_submitted on debit_runs (kind, run_on) where state = 'submitted';
-- What the next file takes, and what the sandbox's bank asks for every second: without the hundreds
-- of thousands that are in files and wait for an answer.
create index debit_runs_in_no_file on debit_runs (kind, run_on)
  where state = 'submitted' and file_id is null and not charged;
create index debit_runs_by_file on debit_runs (file_id) where file_id is not null;
create index debit_runs_to_charge on debit_runs (account_id, request_id)
  where charged and state = 'submitted';
revoke delete, truncate on debit_runs from current_user;
