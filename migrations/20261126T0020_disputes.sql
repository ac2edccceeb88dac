-- Disputes of payments, as connectors report them. Money follows in results.
create table disputes (
  account_id text not null,
  id bigint not null,
  request_id bigint not null,
  attempt_id bigint not null,
  connector text not null,
  -- The connector's id of the dispute.
  name text not null,
  state text not null
    check (state in ('opened', 'evidence_due', 'won', 'lost', 'partial', 'reversed')),
  -- Grows with each change at the acquirer: an older one changes nothing.
  revision bigint not null check (revision > 0),
  amount bigint not null check (amount > 0),
  -- What the acquirer holds back because of it.
  taken bigint not null check (taken >= 0),
  reason text,
  evidence_due_at timestamptz,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, connector, name)
);
create index disputes_by_request on disputes (account_id, request_id, id);
-- Undecided ones, by their deadline.
create index disputes_undecided on disputes (account_id, evidence_due_at, id)
  where state in ('opened', 'evidence_due');
revoke delete, truncate on disputes from current_user;
