-- What is asked of payers, and each attempt to charge it.

-- Ids of requests and of static QRs, in blocks of 1,000: barcodes and payment codes have 15 digits
-- for them.
create sequence request_ids as bigint increment by 1000 start with 1
  minvalue 1 maxvalue 999999999998001;

-- Everything that an account asks somebody to pay: payment requests, debits, QRs. One life, one
-- sequence of ids.
create table requests (
  account_id text not null,
  id bigint not null,
  kind text not null,
  -- The states of each kind, as src/requests/states.ts has them.
  state text not null,
  constraint requests_state_check check (
    case kind
      when 'payment_request' then state in ('pending', 'paid', 'expired', 'reverted', 'refunded')
      when 'qr' then state in ('pending', 'paid', 'expired', 'deleted', 'refunded')
      when 'debit_request' then
        state in ('pending', 'in_process', 'paid', 'rejected', 'canceled', 'reverted', 'refunded')
      when 'card_debit_request' then
        state in ('pending', 'in_process', 'paid', 'rejected', 'canceled', 'reverted', 'refunded')
      else false
    end
  ),
  -- Why it is in its state, where somebody said so.
  state_comment text,
  -- Goes up with each change; events carry it.
  version integer not null,
  created_at timestamptz not null,
  reference text,
  payer text not null,
  description text not null,
  due1 date not null,
  total1 bigint not null check (total1 > 0),
  due2 date,
  total2 bigint,
  -- The later of the two days.
  last_due date not null,
  -- The id that the account gave it (QRs).
  code text,
  -- The mandate that it is debited on (debits).
  mandate_id bigint,
  -- The rest of what was sent; told again as it came.
  details json not null,
  primary key (account_id, id)
);
-- Files of networks: barcodes and payment codes carry an id and no account.
create index requests_by_id on requests (id);
-- QRs are named by their code, and each code is there once.
create unique index requests_by_code on requests (account_id, code) where code is not null;
-- Lists of a kind, page by page.
create index requests_by_kind on requests (account_id, kind, id);
-- The same by external_reference.
create index requests_by_reference on requests (account_id, reference) where reference is not null;
-- The debits that end with their mandate.
create index requests_by_mandate on requests (account_id, mandate_id) where mandate_id is not null;
-- The sweep that expires.
create index requests_to_expire on requests (last_due) where state = 'pending';
revoke delete, truncate on requests from current_user;

-- An attempt to charge a request, stored before the channel is called. One with an unknown outcome
-- keeps others from beginning until it is known.
create table attempts (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  -- Of one lane of a request one attempt is open at a time. Most requests have lane 0 alone; one
  -- that stays open for many payments gives each attempt its own, so that its payers do not wait.
  lane bigint not null default 0,
  channel text not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('started', 'unknown', 'done')),
  details json not null,
  started_at timestamptz not null,
  -- When the channel is to be asked for its outcome.
  ask_at timestamptz not null,
  primary key (account_id, id)
);
create unique index attempts_one_open on attempts (account_id, request_id, lane)
  where state <> 'done';
-- The sweep that asks channels for outcomes.
create index attempts_to_ask on attempts (ask_at) where state <> 'done';
