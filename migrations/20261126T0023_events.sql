-- Events: every write leaves one, in the same transaction. Webhooks and the feed read them.

-- Positions in the feed. One dispatcher at a time assigns them, so the feed grows in their order.
create sequence event_positions as bigint maxvalue 9007199254740991;

-- What happened to an entity, by its version. An event gets its position once; nothing else changes.
create table events (
  account_id text not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  id bigint not null,
  -- Null: not published yet.
  position bigint,
  type text not null,
  at timestamptz not null,
  actor text not null,
  data json not null,
  -- The writing transaction. All transactions below the oldest running one have ended, so a reader
  -- up to there misses none.
  xid bigint not null default pg_current_xact_id()::text::bigint,
  primary key (account_id, entity, entity_id, version)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
create index events_by_position on events (account_id, position) where position is not null;
create index events_by_id on events (account_id, id) where position is not null;
-- Events since the last seal. A BRIN index costs an insert next to nothing.
create index events_by_xid on events using brin (xid) with (autosummarize = on);

-- The audit log of the portal: acts of people, and changes of how accounts are set up, without what
-- programs write by the million. src/events/log.ts has the same condition, word by word.
create index events_log_by_time on events (at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
create index events_log_by_account on events (account_id, at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
create index events_log_by_actor on events (actor, at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
create index events_log_by_type on events (type, at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
revoke update, delete, truncate on events from current_user;
grant update (position) on events to current_user;

-- Events to be published, read per entity in the order of versions. A queue: its dead rows must not
-- wait for a share of the table.
create table outbox (
  account_id text not null,
  entity text not null,
  entity_id text not null,
  version integer not null,
  event_id bigint not null,
  primary key (account_id, entity, entity_id, version)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Events of what belongs to no account: calendar days, tax registers, files of networks and banks,
-- keys of the vault, users.
create table operator_events (
  -- The operator's own books, whose chain of seals covers these events too.
  account_id text not null default '00000000' check (account_id = '00000000'),
  id bigint not null,
  entity text not null,
  entity_id text not null,
  type text not null,
  at timestamptz not null,
  actor text not null,
  data json not null,
  -- See events.
  xid bigint not null default pg_current_xact_id()::text::bigint,
  primary key (account_id, id)
);
create index operator_events_by_time on operator_events (at, id);
create index operator_events_by_xid on operator_events using brin (xid) with (autosummarize = on);
-- Since when the vault encrypts under a key.
create index operator_events_of_vault on operator_events (entity_id, at) where entity = 'vault_key';
-- Two operators of whom one appointed the other do not decide on a payout together.
create index operator_events_of_roles on operator_events (entity_id, at)
  where entity = 'user' and type in ('user.created', 'user.service_role_changed');
revoke update, delete, truncate on operator_events from current_user;
