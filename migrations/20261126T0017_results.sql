-- Results: everything that happens to a request's money.

-- A payment, a rejection, a chargeback or a refund. A payment carries what is left of it.
create table results (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  kind text not null constraint results_kind_check
    check (kind in ('payment_request', 'debit_request', 'card_debit_request', 'qr')),
  type text not null check (type in ('collected', 'rejected', 'chargeback', 'refund')),
  -- The payment that a chargeback or refund takes back.
  reverses_id bigint,
  -- Who reported it, and their name for it: the same report is booked once.
  source text not null,
  source_ref text not null,
  channel text not null,
  channel_label text not null,
  amount bigint not null check (amount > 0),
  net_fee bigint not null default 0,
  fee_iva bigint not null default 0,
  withheld bigint not null default 0,
  -- The part that is not yet available to the account.
  unreleased bigint not null default 0,
  -- The parts refunded, and on their way back.
  refunded bigint not null default 0,
  check (refunded between 0 and amount),
  refunding bigint not null default 0 check (refunding >= 0),
  charged_back bigint not null default 0,
  check (charged_back in (0, amount)),
  -- When the payer paid, when the service learnt of it, and the day of the report that shows it.
  paid_at timestamptz not null,
  informed_at timestamptz not null,
  informed_on date not null,
  -- The day on which it becomes available, and the day on which it did.
  available_on date,
  released_on date,
  -- The day first promised, if it was moved: reports of the day it was informed still show it.
  promised_on date,
  constraint results_promised_check
    check (promised_on is null or (available_on is not null and promised_on <> available_on)),
  -- Of the request, at that time.
  reference text,
  payer text not null,
  description text not null,
  details json not null,
  stamp bytea,
  primary key (account_id, id)
) with (
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02
);
-- Two processes that hear of a payment at once book it once.
create unique index results_once on results (account_id, source, source_ref);
create index results_by_request on results (account_id, request_id);
-- Reports of a day, in the order of their pages.
create index results_by_day on results (account_id, informed_on, type, id);
-- The sweep that releases money.
create index results_to_release on results (available_on)
  where type = 'collected' and released_on is null;
-- An account's money to come, by day, from the index alone.
create index results_to_come on results (account_id, available_on) include (unreleased)
  where type = 'collected' and released_on is null;
-- Refusals of a request, counted before the next try.
create index results_refused on results (account_id, request_id, informed_at)
  where type = 'rejected' and source = 'attempt';
-- Lists by the channel that paid.
create index results_by_channel on results (account_id, kind, channel, request_id)
  where type = 'collected';
revoke delete, truncate on results from current_user;

-- Results by day, channel and type, so that pages of a year read a few hundred rows. Folded after
-- the seals of journals, so that postings do not pay for it; readers add what is not folded yet.
create table daily_totals (
  account_id text not null,
  day date not null,
  channel text not null,
  type text not null check (type in ('collected', 'chargeback', 'refund')),
  results bigint not null,
  amount bigint not null,
  net_fee bigint not null,
  fee_iva bigint not null,
  withheld bigint not null,
  primary key (account_id, day, channel, type)
);

-- The last seal whose journals are folded; no row: none is.
create table daily_total_marks (
  account_id text primary key,
  seal_no integer not null
);
