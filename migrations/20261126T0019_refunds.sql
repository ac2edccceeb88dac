-- Refunds: money on its way back to a payer, until the sender confirms its arrival.
create table refunds (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  -- The payment that is refunded, whole or in part.
  result_id bigint not null,
  -- The caller's own name for it: the same one is refunded once.
  reference text not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('requested', 'done', 'failed')),
  -- Through the channel of the payment, or by the operator's transfer to a CBU.
  way text not null check (way in ('channel', 'transfer')),
  cbu text check ((cbu is not null) = (way = 'transfer')),
  -- Taken from the account's balances until it ends, and the part that was not available yet.
  held bigint not null,
  held_unavailable bigint not null check (held_unavailable >= 0),
  -- Refunded of the payment before: tells whether a refund whose answer was lost had arrived.
  refunded_before bigint not null check (refunded_before >= 0),
  requested_at timestamptz not null,
  -- When to ask the channel; null: there is nobody to ask.
  ask_at timestamptz check (ask_at is null or (state = 'requested' and way = 'channel')),
  ended_at timestamptz check ((ended_at is null) = (state = 'requested')),
  -- Why it failed, or the channel's or operator's name for it.
  comment text,
  -- The portal's user, whose refunds of a day add up to a limit; null: a key, or the service.
  asked_by bigint,
  stamp bytea,
  primary key (account_id, id),
  unique (account_id, reference)
);
create index refunds_by_request on refunds (account_id, request_id, id);
create index refunds_to_ask on refunds (ask_at) where ask_at is not null;
-- The operator's list of transfers to make.
create index refunds_to_transfer on refunds (account_id, id)
  where state = 'requested' and way = 'transfer';
revoke delete, truncate on refunds from current_user;
