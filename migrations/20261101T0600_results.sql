-- Results: everything that happened to a request's money.

-- A payment, a rejection, a chargeback or a refund. A collected row carries what is left of it.
create table results (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  kind text not null constraint results_kind_check
    check (kind in ('payment_request', 'debit_request', 'card_debit_request', 'qr')),
  type text not null check (type in ('collected', 'rejected', 'chargeback', 'refund')),
  -- The result that a chargeback or refund takes back.
  reverses_id bigint,
  -- Who said so, and how he calls it: the same word is taken once.
  source text not null,
  source_ref text not null,
  channel text not null,
  channel_label text not null,
  amount bigint not null check (amount > 0),
  net_fee bigint not null default 0,
  fee_iva bigint not null default 0,
  withheld bigint not null default 0,
  -- What of it is not yet available to the holder.
  unreleased bigint not null default 0,
  refunded bigint not null default 0,
  check (refunded between 0 and amount),
  charged_back bigint not null default 0,
  check (charged_back in (0, amount)),
  -- When the payer paid, and when we were told.
  paid_at timestamptz not null,
  informed_at timestamptz not null,
  -- The day in whose report it stands.
  informed_on date not null,
  -- The day on which it becomes available, and the one on which it did.
  available_on date,
  released_on date,
  -- The day that was promised for it, where it was moved to another one: reports of the day on which
  -- it was informed go on to say it.
  promised_on date,
  constraint results_promised_check
    check (promised_on is null or (available_on is not null and promised_on <> available_on)),
  -- Of the request, as it was then.
  reference text,
  payer text not null,
  description text not null,
  details json not null,
  primary key (account_id, id)
);
-- The same payment told twice, by two processes at once, is booked once.
create unique index results_once on results (account_id, source, source_ref);
-- What was paid on a request.
create index results_by_request on results (account_id, request_id);
-- Reports of a day, in the order of their pages.
create index results_by_day on results (account_id, informed_on, type, id);
-- The sweep that makes money available.
create index results_to_release on results (available_on)
  where type = 'collected' and released_on is null;
revoke delete, truncate on results from current_user;
