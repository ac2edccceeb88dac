-- Attempts to charge a request over an online channel, and the names that the outside gave them.

-- Stored before the channel is called. An open attempt keeps others from starting until its outcome
-- is known. The stamp is the HMAC of the row by the process that wrote it, with a key that the
-- database does not have; so wherever a table has one.
create table attempts (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  -- One attempt is open in each lane of a request. Most requests have lane 0 alone; one that takes
  -- many payments gives each attempt its own, so that payers do not wait for each other.
  lane bigint not null default 0,
  -- The caller's own name of the charge, for a call that may be repeated.
  reference text,
  channel text not null,
  -- Asked to charge, and later for the outcome.
  connector text not null,
  amount bigint not null check (amount > 0),
  state text not null check (state in ('started', 'unknown', 'done')),
  details json not null,
  -- What the payer must do before it is decided: kind, url or data, until.
  action json,
  started_at timestamptz not null,
  -- When to ask the channel for the outcome.
  ask_at timestamptz not null,
  -- When the channel first answered that it does not know the attempt.
  unheard_at timestamptz,
  stamp bytea,
  primary key (account_id, id)
);
create unique index attempts_one_open on attempts (account_id, request_id, lane)
  where state <> 'done';
create unique index attempts_referenced on attempts (account_id, reference)
  where reference is not null;
create index attempts_to_ask on attempts (ask_at) where state <> 'done';
-- The charges of a connector, day by day, for reconciliation.
create index attempts_of_connectors on attempts (connector, started_at, id)
  where connector <> 'simulator';

-- The attempt of each approved charge, by its acquirer's id, which is unique over all accounts. An
-- answer with an id that is taken belongs to another attempt.
create table charge_references (
  connector text not null,
  reference text not null,
  account_id text not null,
  attempt_id bigint not null,
  stamp bytea,
  primary key (connector, reference)
);

-- Payments that a network started, by its own id over all accounts. Each is booked once, and none
-- after its reversal, in whatever order the network reports them.
create table network_charges (
  connector text not null,
  trx text not null,
  -- Null: no attempt matches yet, and the money waits in suspense.
  account_id text,
  attempt_id bigint,
  reversed_at timestamptz,
  stamp bytea,
  primary key (connector, trx),
  check ((account_id is null) = (attempt_id is null))
);

-- Approvals that may have to be refunded. Noted before they are recorded, so a crash in between
-- forgets none.
create table unwanted_approvals (
  account_id text not null,
  attempt_id bigint not null,
  request_id bigint not null,
  -- Why it is refunded; null: unknown, or it is not.
  why text check (why in ('late', 'paid_otherwise', 'excluded')),
  state text not null default 'noted' check (state in ('noted', 'returning', 'returned', 'kept')),
  look_at timestamptz check ((look_at is null) = (state in ('returned', 'kept'))),
  stamp bytea,
  primary key (account_id, attempt_id)
);
create index unwanted_approvals_of_request on unwanted_approvals (account_id, request_id);
create index unwanted_approvals_to_look_at on unwanted_approvals (look_at)
  where look_at is not null;

-- A reference that an acquirer or a network used stays used: if it were forgotten, its money could
-- be booked twice.
revoke delete, truncate on charge_references, network_charges, unwanted_approvals from current_user;

-- Accounts that a connector opened for the transfers of one request.
create table transfer_accounts (
  account_id text not null,
  request_id bigint not null,
  connector text not null,
  cvu text not null check (cvu ~ '^[0-9]{22}$'),
  opened_at timestamptz not null,
  primary key (account_id, request_id, connector)
);
-- Over all accounts: a transfer names nothing else.
create unique index transfer_accounts_cvu on transfer_accounts (cvu);

-- Charges of typed cards within an hour, by digests of the network, the card, an account's BIN and
-- the account. Counted before the charge.
create table card_tries (
  subject bytea primary key,
  tries int not null,
  -- Apart from refused ones and with a wider bound: an acquirer's outage is no card testing.
  unanswered int not null default 0,
  since timestamptz not null
);
create index card_tries_by_time on card_tries (since);
