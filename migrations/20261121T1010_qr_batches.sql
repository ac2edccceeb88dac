-- Imports of QRs from a document. No request needs to know the import that it came with.
alter table requests drop column batch_id, drop column batch_index;

create table batches (
  account_id text not null,
  id bigint not null,
  state text not null
    check (state in ('waiting_upload', 'uploading', 'processing', 'completed', 'failed')),
  stored_in text not null check (stored_in in ('postgres', 's3')),
  created_at timestamptz not null,
  -- Until when an upload may begin, by the wall clock.
  expires_at timestamptz not null,
  -- Counts the uploads that began: what an earlier one still sends is not taken.
  upload integer not null default 0,
  -- The document as it arrived: its size, and the version of the store's object.
  bytes bigint,
  version text,
  webhook_url text,
  -- Known once the whole document was read.
  total_count integer,
  next_index integer not null default 0,
  created integer not null default 0,
  rejected integer not null default 0,
  error text,
  -- When a worker has to look at it next, by the wall clock; one that works on it has it until then.
  look_at timestamptz,
  primary key (account_id, id),
  check (created + rejected = next_index)
);
create index batches_to_look_at on batches (look_at) where look_at is not null;

-- The document, in the order of its bytes, until it was processed.
create table batch_chunks (
  account_id text not null,
  batch_id bigint not null,
  no integer not null,
  bytes bytea not null,
  primary key (account_id, batch_id, no)
);
-- Compressing costs more than the short life of these bytes is worth.
alter table batch_chunks alter column bytes set storage external;

-- What became of each item, a thousand in a page, as it is answered.
create table batch_pages (
  account_id text not null,
  batch_id bigint not null,
  no integer not null,
  rows text not null,
  primary key (account_id, batch_id, no)
);
