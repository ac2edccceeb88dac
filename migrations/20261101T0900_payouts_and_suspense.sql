-- Money beside collections: payouts, corrections, money that no request is known for.

-- What was sent to the holder's bank account, and what came back of it.
create table payouts (
  account_id text not null,
  id bigint not null,
  -- The operator's own: the same one is paid once.
  reference text not null,
  state text not null check (state in ('sent', 'returned')),
  amount bigint not null check (amount > 0),
  cbu text not null,
  sent_at timestamptz not null,
  returned_at timestamptz,
  return_reason text,
  primary key (account_id, id),
  unique (account_id, reference)
);
revoke delete, truncate on payouts from current_user;

-- What the operator set right by hand. Positive amounts were given to the holder, negative ones
-- taken from him. Never changes.
create table corrections (
  account_id text not null,
  id bigint not null,
  -- The operator's own: the same one is booked once.
  reference text not null,
  amount bigint not null check (amount <> 0),
  note text not null,
  posted_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, reference)
);
revoke update, delete, truncate on corrections from current_user;

-- Money that came in and belongs to no request that is known. account_id is the operator's own
-- books until somebody finds out whose it is.
create table suspense (
  account_id text not null,
  id bigint not null,
  state text not null check (state in ('open', 'assigned', 'returned')),
  reason text not null,
  -- Who said so, and how he calls it: the same word is taken once.
  source text not null,
  source_ref text not null,
  channel text not null,
  channel_label text not null,
  -- What the payer named.
  code text not null,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  informed_at timestamptz not null,
  -- What became of it.
  to_account_id text,
  to_request_id bigint,
  resolved_at timestamptz,
  note text,
  primary key (account_id, id),
  unique (account_id, source, source_ref)
);
-- The operator's list of what is to be looked into.
create index suspense_open on suspense (account_id, id) where state = 'open';
revoke delete, truncate on suspense from current_user;
