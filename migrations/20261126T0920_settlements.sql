-- What an acquirer paid out, as its connector lists it; of the deployment. A payout is known by the
-- acquirer's id of it.
create table settlement_payouts (
  id bigint primary key,
  connector text not null,
  name text not null,
  paid_on date not null,
  -- What the acquirer says that all lines come to.
  net bigint not null,
  heard_at timestamptz not null,
  -- What its lines came to as they were compared last; compared_at is null while some were not.
  compared_at timestamptz,
  lines int not null default 0,
  gross bigint not null default 0,
  fee bigint not null default 0,
  listed bigint not null default 0,
  -- Of gross: what the books have as well, and what is of other deployments.
  matched bigint not null default 0,
  elsewhere bigint not null default 0,
  faults int not null default 0,
  unique (connector, name)
);
-- Its lines, each once: the acquirer's id names one.
create table settlement_lines (
  connector text not null,
  name text not null,
  payout_id bigint not null,
  kind text not null check (kind in ('sale', 'refund', 'chargeback', 'returned', 'other')),
  -- The charge as it was listed; both are null where the line is of none.
  attempt text,
  trx text,
  -- Whose charge that is; null: of none of ours, or not known yet.
  account_id text,
  attempt_id bigint,
  is_part boolean not null,
  gross bigint not null,
  fee bigint not null,
  net bigint not null,
  primary key (connector, name)
);
create index settlement_lines_of_payouts on settlement_lines (payout_id, name);
create index settlement_lines_of_charges on settlement_lines (connector, account_id, attempt_id)
  where attempt_id is not null;
revoke delete, truncate on settlement_payouts, settlement_lines from current_user;
-- What the acquirer still owed at the last comparison; null: the connector lists no payouts.
alter table reconciliations add column unsettled_charges int, add column unsettled bigint;
