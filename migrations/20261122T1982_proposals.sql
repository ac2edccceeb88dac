-- What one person proposes and another one approves before it is done: payouts, corrections and
-- refunds above the limit at which it takes two.
create table proposals (
  account_id text not null,
  id bigint not null,
  kind text not null check (kind in ('payout', 'correction', 'refund')),
  -- The name of what is to be done: proposed once, unless it was rejected.
  reference text not null,
  amount bigint not null check (amount <> 0),
  -- JSON: what else it takes to do it.
  terms text not null,
  state text not null check (state in ('waiting', 'approved', 'rejected')),
  -- Users.
  proposed_by bigint not null,
  proposed_at timestamptz not null,
  decided_by bigint,
  decided_at timestamptz,
  -- Why it was rejected.
  reason text,
  -- JSON: what it came to.
  outcome text,
  primary key (account_id, id),
  check ((state = 'waiting') = (decided_by is null)),
  -- Four eyes: nobody approves what he proposed, whatever a process believes.
  check (state <> 'approved' or decided_by <> proposed_by)
);
create unique index proposals_once on proposals (account_id, kind, reference)
  where state <> 'rejected';
create index proposals_waiting on proposals (kind, id) where state = 'waiting';
create index proposals_latest on proposals (kind, id);
revoke delete, truncate on proposals from current_user;

-- Files of payouts for the operator's bank.
create table payout_files (
  id bigint primary key,
  reference text not null,
  payouts integer not null check (payouts > 0),
  total bigint not null,
  made_at timestamptz not null
);
create index payout_files_by_reference on payout_files (reference, id);

-- In which of them a payout stands: in one, or in none yet. What was paid out before files were kept
-- has no row, and goes into none.
create table payout_transfers (
  account_id text not null,
  payout_id bigint not null,
  file_id bigint,
  primary key (account_id, payout_id)
);
create index payout_transfers_open on payout_transfers (account_id, payout_id)
  where file_id is null;
create index payout_transfers_by_file on payout_transfers (file_id) where file_id is not null;
