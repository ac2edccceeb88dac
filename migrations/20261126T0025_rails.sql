-- Rails: files of networks, banks and card processors, in and out. They belong to the service: one
-- file holds payments of many accounts.

create table rail_files (
  id bigint primary key,
  rail text not null,
  direction text not null check (direction in ('in', 'out')),
  name text not null,
  file_date date not null,
  sha256 bytea not null,
  state text not null check (state in ('importing', 'imported', 'exported')),
  lines integer not null,
  -- Lines already booked: an interrupted import continues after them.
  applied integer not null default 0,
  total bigint not null,
  summary json,
  created_at timestamptz not null,
  -- The same file is imported once.
  unique (rail, direction, sha256)
);
-- Names and numbers of the next file of a day.
create index rail_files_by_day on rail_files (rail, direction, file_date);
revoke delete, truncate on rail_files from current_user;

-- The meaning of each incoming line, decided once and before it is booked. Notices have no amount.
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
  -- The reason of the bank or processor.
  reject_code text,
  note text,
  primary key (file_id, line)
);
revoke delete, truncate on rail_lines from current_user;

-- Uploaded files that a person reviews before the import. They may hold card numbers, so the vault
-- encrypts them, and a day later they are deleted.
create table rail_uploads (
  id bigint primary key,
  rail text not null,
  name text not null,
  -- Of its lines, as rail_files has it after the import.
  sha256 bytea not null check (octet_length(sha256) = 32),
  key_id text not null,
  ciphertext bytea not null,
  uploaded_at timestamptz not null
);
create index rail_uploads_by_age on rail_uploads (uploaded_at);
