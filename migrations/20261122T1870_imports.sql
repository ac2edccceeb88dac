-- Spreadsheets whose rows become payment requests, QRs, debits or mandates: uploaded, matched,
-- checked, and created by workers once somebody has confirmed it.
create table imports (
  account_id text not null,
  id bigint not null,
  kind text not null
    check (kind in ('payment_request', 'qr', 'debit_request', 'card_debit_request', 'adhesion')),
  state text not null check (state in
    ('draft', 'discarded', 'running', 'completed', 'failed', 'undoing', 'undone')),
  version integer not null,
  created_at timestamptz not null,
  file_name text not null,
  -- The file as it was uploaded is known by its digest; what it says is in import_pages.
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- JSON: names of the columns, what the reader noticed, the place of each field's column.
  columns text not null,
  notes text not null,
  matched text not null,
  row_count integer not null check (row_count > 0),
  page_count integer not null check (page_count > 0),
  -- What the check of all rows came to; null: fields that are required have no column.
  faulty_count integer,
  existing_count integer,
  -- Whether rows are created whose reference the account has already.
  repeats_too boolean not null default false,
  -- Who confirmed it, or asked to undo it, with the words that requests keep.
  actor text,
  comment text,
  -- Pages before this one are created, or withdrawn again, for good.
  next_page integer not null default 0,
  undone_page integer not null default 0,
  created integer not null default 0,
  rejected integer not null default 0,
  skipped integer not null default 0,
  withdrawn integer not null default 0,
  check (created + rejected + skipped <= row_count and withdrawn <= created),
  error text,
  -- When a worker has to look at it next, by the wall clock; one that works on it has it until then.
  look_at timestamptz,
  -- How often a worker took it since a step of it last succeeded.
  tries integer not null default 0,
  primary key (account_id, id)
);
-- The same file waits once for its confirmation.
create unique index imports_one_draft on imports (account_id, kind, sha256) where state = 'draft';
create index imports_by_file on imports (account_id, sha256);
create index imports_to_look_at on imports (look_at) where look_at is not null;

-- The rows, so many a page, in the order of the file. All texts are JSON.
create table import_pages (
  account_id text not null,
  import_id bigint not null,
  no integer not null,
  -- [row's number in the spreadsheet, its cells][]
  rows text not null,
  -- [row's number, faults][] and [row's number, id of what has its reference][] of the last check
  faults text,
  existing text,
  -- [row's number, id, faults][] of what was done
  outcomes text,
  -- ids that were withdrawn again
  withdrawn text,
  primary key (account_id, import_id, no)
);

-- Which field a heading was last matched with, so that next month's file is understood.
create table import_headings (
  account_id text not null,
  kind text not null,
  heading text not null,
  field text,
  primary key (account_id, kind, heading)
);
