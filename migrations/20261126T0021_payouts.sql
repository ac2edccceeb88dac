-- Money that people move: payouts, corrections, and proposals that a second person approves.

-- Sent to the account's bank account, or returned by its bank.
create table payouts (
  account_id text not null,
  id bigint not null,
  -- The operator's own name for it: the same one is paid once.
  reference text not null,
  state text not null check (state in ('sent', 'returned')),
  amount bigint not null check (amount > 0),
  cbu text not null,
  sent_at timestamptz not null,
  returned_at timestamptz,
  return_reason text,
  -- The user who asked for it in the portal; null: the operator or the service.
  ordered_by bigint,
  stamp bytea,
  primary key (account_id, id),
  unique (account_id, reference)
);
revoke delete, truncate on payouts from current_user;

-- Files of payouts for the operator's bank.
create table payout_files (
  id bigint primary key,
  reference text not null,
  payouts integer not null check (payouts > 0),
  total bigint not null,
  made_at timestamptz not null
);
create index payout_files_by_reference on payout_files (reference, id);

-- The file of each payout. The holder is kept as the bank was told: a file stays the same, whatever
-- the account is called later.
create table payout_transfers (
  account_id text not null,
  payout_id bigint not null,
  -- Null: in none yet.
  file_id bigint,
  holder text,
  cuit text,
  primary key (account_id, payout_id),
  check (file_id is null or (holder is not null and cuit is not null))
);
create index payout_transfers_open on payout_transfers (account_id, payout_id)
  where file_id is null;
create index payout_transfers_by_file on payout_transfers (file_id) where file_id is not null;

-- Set right by the operator. Positive amounts were given to the account, negative ones taken from
-- it. Never changes.
create table corrections (
  account_id text not null,
  id bigint not null,
  -- The operator's own name for it: the same one is booked once.
  reference text not null,
  amount bigint not null check (amount <> 0),
  note text not null,
  posted_at timestamptz not null,
  stamp bytea,
  primary key (account_id, id),
  unique (account_id, reference)
);
revoke update, delete, truncate on corrections from current_user;

-- What one person proposes and another approves: payouts, corrections and refunds above a limit, and
-- payouts that an account asks for.
create table proposals (
  account_id text not null,
  id bigint not null,
  kind text not null check (kind in ('payout', 'correction', 'refund')),
  -- The name of the thing to be done: proposed once, unless it was rejected.
  reference text not null,
  -- The request of a refund.
  request_id bigint,
  amount bigint not null check (amount <> 0),
  -- JSON: the other arguments.
  terms text not null,
  state text not null check (state in ('waiting', 'approved', 'rejected', 'expired')),
  -- A user, as all who decide.
  proposed_by bigint not null,
  proposed_at timestamptz not null,
  -- Null: never, which is so of proposals by operators.
  expires_at timestamptz,
  -- Large payouts that an account asks for take two operators.
  first_approved_by bigint,
  first_approved_at timestamptz,
  decided_by bigint,
  decided_at timestamptz,
  -- Why it was rejected.
  reason text,
  -- JSON: the result of doing it.
  outcome text,
  primary key (account_id, id),
  check ((state in ('waiting', 'expired')) = (decided_by is null)),
  constraint proposals_expired check (state <> 'expired' or expires_at is not null),
  -- Four eyes, whatever a process believes.
  check (state <> 'approved' or decided_by <> proposed_by),
  constraint proposals_two_operators check (
    (first_approved_by is null) = (first_approved_at is null)
    and (first_approved_by is null or first_approved_by <> proposed_by)
    and (first_approved_by is null or state <> 'approved' or first_approved_by <> decided_by))
);
create unique index proposals_once on proposals (account_id, kind, reference)
  where state <> 'rejected';
-- An account asks for one payout at a time.
create unique index proposals_payout_asked on proposals (account_id)
  where kind = 'payout' and state = 'waiting' and expires_at is not null;
create index proposals_of_request on proposals (account_id, request_id, id)
  where request_id is not null;
create index proposals_of_account on proposals (account_id, kind, id);
create index proposals_waiting_of_account on proposals (account_id, kind, id)
  where state = 'waiting';
create index proposals_latest on proposals (kind, id);
create index proposals_waiting on proposals (kind, id) where state = 'waiting';
create index proposals_to_expire on proposals (expires_at)
  where state = 'waiting' and expires_at is not null;
revoke delete, truncate on proposals from current_user;
