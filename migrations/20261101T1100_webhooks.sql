-- Webhooks: who wants to be told of which events, what is to be told to whom, and each attempt.
-- All times are of the wall clock.

-- A subscription. A row with only_entity tells of that one entity alone. due_at changes often, so
-- half of each page is left free for it.
create table webhooks (
  account_id text not null,
  id bigint not null,
  url text not null,
  event_types smallint[] not null check (cardinality(event_types) > 0),
  only_entity text,
  only_entity_id text,
  check ((only_entity is null) = (only_entity_id is null)),
  -- Secrets are derived, not stored: the generation, the key that it is derived from, and that of
  -- the secret before it while that one signs too.
  secret_no integer not null default 1,
  secret_key_no integer not null default 1,
  previous_key_no integer,
  rotated_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  failures integer not null default 0,
  pauses integer not null default 0,
  paused_until timestamptz,
  -- When a worker should look at its deliveries next, if ever.
  due_at timestamptz,
  primary key (account_id, id)
) with (fillfactor = 50);
-- The account's list; whom a published event concerns.
create index webhooks_of_account on webhooks (account_id)
  where only_entity is null and deleted_at is null;
-- The one of an entity, which is there once.
create unique index webhooks_once on webhooks (account_id, only_entity, only_entity_id)
  where only_entity is not null;
-- The worker that delivers.
create index webhooks_due on webhooks (due_at) where due_at is not null;
-- The sweep that forgets removed ones and those of one entity, once they have told what they had to.
create index webhooks_to_forget on webhooks (coalesce(deleted_at, created_at))
  where only_entity is not null or deleted_at is not null;

-- One event for one webhook. Its states change where it lies: some of each page is left free.
create table deliveries (
  account_id text not null,
  webhook_id bigint not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  event_id bigint not null,
  position bigint not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  -- Attempts since ever, and those since it was queued or resent.
  attempts integer not null default 0,
  tries integer not null default 0,
  -- While it is pending, when it may be attempted; null: an earlier event of the entity comes first.
  next_at timestamptz,
  check (next_at is null or state = 'pending'),
  -- Until then a worker has it.
  leased_until timestamptz,
  -- When it is given up.
  expires_at timestamptz,
  ended_at timestamptz,
  check ((ended_at is null) = (state = 'pending')),
  primary key (account_id, entity, entity_id, version, webhook_id)
) with (fillfactor = 70);
-- What a webhook has to tell, in order.
create index deliveries_due on deliveries (account_id, webhook_id, next_at, position)
  where next_at is not null;
-- The sweep that forgets old ones.
create index deliveries_to_forget on deliveries (ended_at) where ended_at is not null;

-- Each attempt of a delivery. It has a status, or the error that kept an answer from coming.
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
