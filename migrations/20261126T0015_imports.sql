-- Imports: spreadsheets whose rows become requests or mandates. Uploaded, matched, checked,
-- confirmed by a person, then created by workers.

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
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- JSON: names of the columns, remarks of the reader, how the file was read and how else it could
  -- be, and the column of each field.
  columns text not null,
  notes text not null,
  way text not null,
  matched text not null,
  row_count integer not null check (row_count > 0),
  page_count integer not null check (page_count > 0),
  -- Results of the check; null: a required field has no column.
  faulty_count integer,
  existing_count integer,
  -- Whether rows are created whose reference the account has already.
  repeats_too boolean not null default false,
  -- Who confirmed it or asked to undo it, and the comment that requests keep.
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
  -- A worker's lease, or when the next one may take it. Wall clock.
  look_at timestamptz,
  -- Since the last step that succeeded.
  tries integer not null default 0,
  primary key (account_id, id)
);
-- The same file has one draft at a time.
create unique index imports_one_draft on imports (account_id, kind, sha256) where state = 'draft';
create index imports_by_file on imports (account_id, sha256);
create index imports_to_look_at on imports (look_at) where look_at is not null;

-- The file, until the import is confirmed or discarded: another sheet, another row of headings or
-- hidden rows may be read from it.
create table import_files (
  account_id text not null,
  import_id bigint not null,
  no integer not null,
  bytes bytea not null,
  primary key (account_id, import_id, no)
);
-- Compression costs more than the short life of these bytes is worth.
alter table import_files alter column bytes set storage external;

-- The rows in pages, in the order of the file. All texts are JSON.
create table import_pages (
  account_id text not null,
  import_id bigint not null,
  no integer not null,
  -- [row's number in the spreadsheet, its cells][]
  rows text not null,
  -- Of the last check: [row's number, faults][] and [row's number, id with the same reference][]
  faults text,
  existing text,
  -- [row's number, id, faults][]
  outcomes text,
  -- ids that were withdrawn again
  withdrawn text,
  primary key (account_id, import_id, no)
);

-- The field that each heading was last matched with, for next month's file.
create table import_headings (
  account_id text not null,
  kind text not null,
  heading text not null,
  field text,
  primary key (account_id, kind, heading)
);
