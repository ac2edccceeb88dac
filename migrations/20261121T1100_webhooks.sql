-- Webhooks: who wants to be told of which events, what is to be told to whom, and each attempt.

-- The outbox is read in the order of what it tells of: per entity in the order of its versions.
alter table outbox drop constraint outbox_pkey;
alter table outbox add primary key (account_id, entity, entity_id, version);
-- It is a queue: rows come and go, so its dead rows must not wait for a share of its size.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The place of an event in the feed. One dispatcher at a time draws it, so it grows as it is seen.
create sequence event_positions as bigint maxvalue 9007199254740991;
create index events_by_position on events (account_id, position) where position is not null;
create index events_by_id on events (account_id, id) where position is not null;

-- Secrets are derived, not stored: secret_no is the generation. A row with only_entity tells of
-- that one entity alone. due_at: when a worker should look at its deliveries next, if ever.
create table webhooks (
  account_id text not null,
  id bigint not null,
  url text not null,
  event_types smallint[] not null check (cardinality(event_types) > 0),
  secret_no integer not null default 1,
  rotated_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  only_entity text,
  only_entity_id text,
  failures integer not null default 0,
  pauses integer not null default 0,
  paused_until timestamptz,
  due_at timestamptz,
  primary key (account_id, id),
  check ((only_entity is null) = (only_entity_id is null))
) with (fillfactor = 50);
create index webhooks_of_account on webhooks (account_id)
  where only_entity is null and deleted_at is null;
create unique index webhooks_once on webhooks (account_id, only_entity, only_entity_id)
  where only_entity is not null;
create index webhooks_once_to_forget on webhooks (created_at) where only_entity is not null;
create index webhooks_due on webhooks (due_at) where due_at is not null;

-- One event for one webhook. While it is pending, next_at is when it may be attempted; null: an
-- earlier event of the same entity comes first. leased_until: a worker has it. tries counts since
-- it was queued or resent, attempts since ever. All of these times are of the wall clock.
create table deliveries (
  account_id text not null,
  webhook_id bigint not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  event_id bigint not null,
  position bigint not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  tries integer not null default 0,
  next_at timestamptz,
  leased_until timestamptz,
  expires_at timestamptz,
  ended_at timestamptz,
  primary key (account_id, entity, entity_id, version, webhook_id),
  check (next_at is null or state = 'pending'),
  check ((ended_at is null) = (state = 'pending'))
) with (fillfactor = 70);
create index deliveries_due on deliveries (account_id, webhook_id, next_at, position)
  where next_at is not null;
create index deliveries_to_forget on deliveries (ended_at) where ended_at is not null;

-- An attempt has a status, or the error that kept an answer from coming.
create table delivery_attempts (
  account_id text not null,
  webhook_id bigint not null,
  event_id bigint not null,
  no integer not null,
  at timestamptz not null,
  status smallint,
  error text,
  ms integer not null,
  primary key (account_id, webhook_id, event_id, no)
);
