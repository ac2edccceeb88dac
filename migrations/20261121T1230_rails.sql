-- Files of networks and banks: what came in, line by line, and what was sent.

-- A network names a request by its id alone: barcodes and payment codes carry no account.
create index requests_by_id on requests (id);

-- Files belong to the service, not to an account: one file holds payments of many.
create table rail_files (
  id bigint primary key,
  rail text not null,
  direction text not null check (direction in ('in', 'out')),
  name text not null,
  file_date date not null,
  sha256 bytea not null,
  state text not null check (state in ('importing', 'imported', 'exported')),
  lines integer not null,
  total bigint not null,
  -- How many of the lines are booked; a broken import goes on behind them.
  applied integer not null default 0,
  summary json,
  created_at timestamptz not null,
  unique (rail, direction, sha256)
);
create index rail_files_by_day on rail_files (rail, direction, file_date);

-- What each payment of a file was taken for, decided once and before it is booked.
create table rail_lines (
  file_id bigint not null,
  line integer not null,
  outcome text not null check (outcome in ('collected', 'suspense')),
  remarks text[] not null,
  account_id text,
  request_id bigint,
  code text not null,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  primary key (file_id, line)
);
