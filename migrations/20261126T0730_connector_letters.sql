-- Notices of connectors that this release cannot read: acknowledged, kept, and replayed once it can.
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
