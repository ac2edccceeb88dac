-- Events: every write leaves one, in the same transaction; webhooks tell of them.

-- The place of an event in the feed. One dispatcher at a time draws it, so it grows as it is seen.
create sequence event_positions as bigint maxvalue 9007199254740991;

-- What happened to an entity, in the order of its versions. The feed gives an event its place once;
-- nothing else of it changes.
create table events (
  account_id text not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  id bigint not null,
  -- Its place in the feed; null until it was published.
  position bigint,
  type text not null,
  at timestamptz not null,
  actor text not null,
  data json not null,
  -- Which transaction wrote it: all of those that have ended are below a number that the database
  -- knows, so who follows it misses none.
  xid bigint not null default pg_current_xact_id()::text::bigint,
  primary key (account_id, entity, entity_id, version)
);
-- The feed, page by page; what a dispatcher has just published.
create index events_by_position on events (account_id, position) where position is not null;
-- One event by its id, as the feed and webhooks name it.
create index events_by_id on events (account_id, id) where position is not null;
-- What was written since the last seal. A BRIN costs an insert next to nothing.
create index events_by_xid on events using brin (xid) with (autosummarize = on);
revoke update, delete, truncate on events from current_user;
grant update (position) on events to current_user;

-- Events to be published, read in the order of what they tell of: per entity in the order of its
-- versions. It is a queue: rows come and go, so its dead rows must not wait for a share of its size.
create table outbox (
  account_id text not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  event_id bigint not null,
  primary key (account_id, entity, entity_id, version)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
