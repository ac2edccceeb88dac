-- Connectors: their calls, notices and alarms. None of this belongs to an account.

-- Calls already obeyed, so that no process obeys a replay.
create table connector_calls (
  connector text not null,
  -- The call's webhook-id.
  id text not null,
  -- Seconds of the wall clock; from then on its timestamp is too old to be accepted.
  until bigint not null,
  primary key (connector, id)
);
create index connector_calls_until on connector_calls (until);

-- Notices that this release cannot read: acknowledged, kept, and replayed once it can.
create table connector_letters (
  id bigint primary key,
  connector text not null,
  -- SHA-256 of the body: the same text again is the same letter.
  digest text not null,
  -- JSON; card numbers are masked.
  body text not null,
  fault text not null,
  heard_at timestamptz not null,
  state text not null check (state in ('open', 'replayed', 'discarded')),
  decided_at timestamptz,
  decided_by text,
  note text,
  unique (connector, digest),
  check ((state = 'open') = (decided_at is null) and (decided_at is null) = (decided_by is null)
    and (decided_at is null) = (note is null))
);
create index connector_letters_open on connector_letters (id) where state = 'open';
revoke delete, truncate on connector_letters from current_user;

-- Faults of connectors for operators, counted by kind.
create table connector_alarms (
  connector text not null,
  -- Empty: of the connector as a whole.
  channel text not null default '',
  kind text not null,
  message text not null,
  times bigint not null default 1 check (times > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Until then, by the wall clock, new charges of the channel go elsewhere or nowhere.
  off_until timestamptz,
  primary key (connector, channel, kind)
);

-- Facts about money on which the outside world and the books disagree, one row each, until a person
-- closes it.
create table money_alarms (
  id bigint primary key,
  kind text not null,
  -- Names the fact: raised again, it is the same row.
  fact text not null,
  message text not null,
  connector text,
  -- Null: the fact concerns no account.
  account_id text,
  request_id bigint,
  attempt_id bigint,
  result_id bigint,
  suspense_id bigint,
  -- Null: the fact has no amount.
  amount bigint,
  raised_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  note text,
  unique (kind, fact),
  check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (note is null))
);
create index money_alarms_open on money_alarms (id) where closed_at is null;
revoke delete, truncate on money_alarms from current_user;

-- The last comparison with a connector's list of a day.
create table reconciliations (
  connector text not null,
  day date not null,
  at timestamptz not null,
  charges bigint not null,
  transfers bigint not null,
  -- What was recorded because the list had it.
  recorded bigint not null,
  primary key (connector, day)
);

-- Differences that could not be repaired: the audit names them until the day is compared again.
create table reconciliation_findings (
  connector text not null,
  day date not null,
  no int not null,
  account_id text not null,
  what text not null,
  primary key (connector, day, no)
);
create index reconciliation_findings_of on reconciliation_findings (account_id);
