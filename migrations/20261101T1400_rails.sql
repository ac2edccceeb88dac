-- Files of networks, banks and card processors: what came in, line by line, and what was sent.

-- A file. They belong to the service, not to an account: one file holds payments of many.
create table rail_files (
  id bigint primary key,
  rail text not null,
  direction text not null check (direction in ('in', 'out')),
  name text not null,
  file_date date not null,
  sha256 bytea not null,
  state text not null check (state in ('importing', 'imported', 'exported')),
  lines integer not null,
  -- How many of the lines are booked; a broken import goes on behind them.
  applied integer not null default 0,
  total bigint not null,
  summary json,
  created_at timestamptz not null,
  -- The same file is imported once.
  unique (rail, direction, sha256)
);
-- The files of a rail and a day: another of the same day, names and numbers of the next one.
create index rail_files_by_day on rail_files (rail, direction, file_date);
revoke delete, truncate on rail_files from current_user;

-- What each line of a file that came in was taken for, decided once and before it is booked. Some
-- tell no amount.
create table rail_lines (
  file_id bigint not null,
  line integer not null,
  outcome text not null check (outcome in ('collected', 'suspense', 'paid', 'rejected',
    'retried', 'in_process', 'reversed', 'mandate_closed', 'instrument_changed', 'known',
    'unmatched', 'notice')),
  remarks text[] not null,
  account_id text,
  request_id bigint,
  code text not null,
  amount bigint not null check (amount >= 0),
  paid_at timestamptz not null,
  -- What the bank or processor gave as the reason.
  reject_code text,
  note text,
  primary key (file_id, line)
);
revoke delete, truncate on rail_lines from current_user;
