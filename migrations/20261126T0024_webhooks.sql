-- Webhooks: subscriptions, deliveries and their attempts. Times are of the wall clock.

-- One with only_entity is about that entity alone. due_at changes often, so half of each page stays
-- free.
create table webhooks (
  account_id text not null,
  id bigint not null,
  url text not null,
  event_types smallint[] not null check (cardinality(event_types) > 0),
  only_entity text,
  only_entity_id text,
  check ((only_entity is null) = (only_entity_id is null)),
  -- Secrets are derived, not stored: the secret's generation, the key that it is derived from, and
  -- the key of the previous secret while both sign.
  secret_no integer not null default 1,
  secret_key_no integer not null default 1,
  previous_key_no integer,
  rotated_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  failures integer not null default 0,
  -- Pauses after failures.
  pauses integer not null default 0,
  paused_until timestamptz,
  -- A pause by hand. Deliveries held by it get a full retry window from resumed_at on. Each pause
  -- and each resumption counts as a version.
  held_at timestamptz,
  resumed_at timestamptz,
  holds integer not null default 0,
  -- When a worker should next look at its deliveries, if ever.
  due_at timestamptz,
  primary key (account_id, id)
) with (fillfactor = 50);
create index webhooks_of_account on webhooks (account_id)
  where only_entity is null and deleted_at is null;
create unique index webhooks_once on webhooks (account_id, only_entity, only_entity_id)
  where only_entity is not null;
create index webhooks_due on webhooks (due_at) where due_at is not null;
-- The sweep that removes deleted ones, and those of one entity once they delivered everything.
create index webhooks_to_forget on webhooks (coalesce(deleted_at, created_at))
  where only_entity is not null or deleted_at is not null;

-- One event for one webhook. Neighbours are claimed in one transaction, so each needs room beside it
-- for its next version, or its indexes are written too.
create table deliveries (
  account_id text not null,
  webhook_id bigint not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  event_id bigint not null,
  position bigint not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  -- Attempts in all, and since it was queued or resent.
  attempts integer not null default 0,
  tries integer not null default 0,
  -- While pending; null: an earlier event of the entity comes first.
  next_at timestamptz,
  check (next_at is null or state = 'pending'),
  -- A worker's lease.
  leased_until timestamptz,
  -- When it is given up.
  expires_at timestamptz,
  ended_at timestamptz,
  check ((ended_at is null) = (state = 'pending')),
  primary key (account_id, entity, entity_id, version, webhook_id)
) with (
  fillfactor = 40,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.02
);
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
