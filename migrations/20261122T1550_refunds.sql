-- Refunds: money on its way back to a payer, until whoever gives it back says that it is there.

create table refunds (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  -- The payment that goes back, whole or in part.
  result_id bigint not null,
  -- The caller's own name for it: the same one is asked for once.
  reference text not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('requested', 'done', 'failed')),
  -- Who gives it back: the channel that it came by, or the operator, by a transfer to a CBU.
  way text not null check (way in ('channel', 'transfer')),
  cbu text check ((cbu is not null) = (way = 'transfer')),
  -- What the holder's balances gave up for it until it ends; what of it was not available yet.
  held bigint not null,
  held_unavailable bigint not null check (held_unavailable >= 0),
  -- What had gone back of the payment before: tells whether one whose answer was lost had arrived.
  refunded_before bigint not null check (refunded_before >= 0),
  requested_at timestamptz not null,
  -- When the channel is asked next; null where nobody is to be asked.
  ask_at timestamptz check (ask_at is null or (state = 'requested' and way = 'channel')),
  ended_at timestamptz check ((ended_at is null) = (state = 'requested')),
  -- Why it failed, or how the channel or the operator calls it.
  comment text,
  primary key (account_id, id),
  unique (account_id, reference)
);
-- The refunds of a request.
create index refunds_by_request on refunds (account_id, request_id, id);
-- The sweep that asks what became of them.
create index refunds_to_ask on refunds (ask_at) where ask_at is not null;
-- The operator's list of transfers to make.
create index refunds_to_transfer on refunds (account_id, id)
  where state = 'requested' and way = 'transfer';
revoke delete, truncate on refunds from current_user;

-- What of a payment is on its way back.
alter table results add column refunding bigint not null default 0 check (refunding >= 0);

-- What the simulated third parties were asked to give back.
create table simulated_refunds (
  account_id text not null,
  refund_id bigint not null,
  outcome json not null,
  answers_at timestamptz not null,
  primary key (account_id, refund_id)
);
