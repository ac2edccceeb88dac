-- Static QRs, and imports of dynamic ones, which are requests.

-- A code that is printed once.
create table static_qrs (
  account_id text not null,
  id text not null,
  -- From the sequence of requests, so that links by number name one thing.
  number bigint not null,
  open_amount boolean not null,
  multiple_payment boolean not null,
  name text not null,
  city text not null,
  postal_code text,
  description text not null,
  payer text not null,
  -- As issued: a printed code does not change with the account or the configuration.
  payload text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index static_qrs_by_number on static_qrs (account_id, number);

-- A transaction of a static QR is a request of the kind `qr` that expires to the second. It is open
-- until its expiry was handled or a later transaction replaced it.
create table static_transactions (
  account_id text not null,
  id bigint not null,
  static_id text not null,
  expires_at timestamptz not null,
  open boolean not null,
  primary key (account_id, id)
);
create index static_transactions_of on static_transactions (account_id, static_id, expires_at);
create index static_transactions_open on static_transactions (account_id, static_id) where open;
create index static_transactions_to_expire on static_transactions (expires_at) where open;

-- A bulk upload of QRs, from the address for its document to the result of each item.
create table batches (
  account_id text not null,
  id bigint not null,
  state text not null
    check (state in ('waiting_upload', 'uploading', 'processing', 'completed', 'failed')),
  error text,
  created_at timestamptz not null,
  -- Until when an upload may start. Wall clock.
  expires_at timestamptz not null,
  stored_in text not null check (stored_in in ('postgres', 's3')),
  -- Counts uploads: late bytes of an earlier one are dropped.
  upload integer not null default 0,
  -- The document's size, and the version of the store's object.
  bytes bigint,
  version text,
  -- Called at the end, and the key that its secret is derived from.
  webhook_url text,
  secret_key_no integer not null default 1,
  -- Known once the whole document was read.
  total_count integer,
  next_index integer not null default 0,
  created integer not null default 0,
  rejected integer not null default 0,
  check (created + rejected = next_index),
  -- A worker's lease, or when the next one may take it. Wall clock.
  look_at timestamptz,
  -- Since the last step that succeeded: after too many the import is given up.
  tries integer not null default 0,
  primary key (account_id, id)
);
create index batches_to_look_at on batches (look_at) where look_at is not null;

-- The document's bytes in order, until it was processed.
create table batch_chunks (
  account_id text not null,
  batch_id bigint not null,
  no integer not null,
  bytes bytea not null,
  primary key (account_id, batch_id, no)
);
-- Compression costs more than the short life of these bytes is worth.
alter table batch_chunks alter column bytes set storage external;

-- Results of items, a thousand a page, as they are returned.
create table batch_pages (
  account_id text not null,
  batch_id bigint not null,
  no integer not null,
  rows text not null,
  primary key (account_id, batch_id, no)
);
