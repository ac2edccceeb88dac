-- What belongs to no account and was done all the same: days of the calendar, tax registers, files
-- of networks and banks, keys of the vault. Each write leaves an event, like those of accounts.
create table operator_events (
  -- The operator's own books: one chain of seals tells of both.
  account_id text not null default '00000000' check (account_id = '00000000'),
  id bigint not null,
  entity text not null,
  entity_id text not null,
  type text not null,
  at timestamptz not null,
  actor text not null,
  data json not null,
  -- Which transaction wrote it, for whoever follows: see events.
  xid bigint not null default pg_current_xact_id()::text::bigint,
  primary key (account_id, id)
);
create index operator_events_by_xid on operator_events using brin (xid) with (autosummarize = on);
revoke update, delete, truncate on operator_events from current_user;
