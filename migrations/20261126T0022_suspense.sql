-- Suspense: money that arrived for no known request. It belongs to the operator's own books until
-- its owner is found.
create table suspense (
  account_id text not null,
  id bigint not null,
  -- `reversed`: its bank or network took it back, and nobody may assign it any more.
  state text not null check (state in ('open', 'assigned', 'returned', 'reversed')),
  reason text not null,
  -- Who reported it, and their name for it: the same report is booked once.
  source text not null,
  source_ref text not null,
  channel text not null,
  channel_label text not null,
  -- The code that the payer gave.
  code text not null,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  informed_at timestamptz not null,
  -- How it was resolved.
  to_account_id text,
  to_request_id bigint,
  resolved_at timestamptz,
  note text,
  stamp bytea,
  primary key (account_id, id),
  unique (account_id, source, source_ref)
);
create index suspense_open on suspense (account_id, id) where state = 'open';
revoke delete, truncate on suspense from current_user;
