-- The memory of the sandbox's simulated banks, processors and holders. Empty in production.

-- Charges ordered of the simulator, which speaks the protocol of connectors: a repeated call is one
-- charge, another content under the same id is refused, and a token is good for one charge.
create table simulated_charges (
  account_id text not null,
  attempt_id bigint not null,
  amount bigint not null,
  digest text not null,
  token text,
  outcome json not null,
  answers_at timestamptz not null,
  reverses_at timestamptz,
  reversed boolean not null default false,
  primary key (account_id, attempt_id)
);
create unique index simulated_charges_token on simulated_charges (account_id, token)
  where token is not null;
create index simulated_charges_to_reverse on simulated_charges (reverses_at)
  where reverses_at is not null and not reversed;

create table simulated_refunds (
  account_id text not null,
  refund_id bigint not null,
  attempt_id bigint not null,
  amount bigint not null,
  digest text not null,
  outcome json not null,
  answers_at timestamptz not null,
  primary key (account_id, refund_id)
);
create index simulated_refunds_of on simulated_refunds (account_id, attempt_id);

-- Debits that holders reverse.
create table simulated_reversals (
  account_id text not null,
  source_ref text not null,
  request_id bigint not null,
  reverses_at timestamptz not null,
  reversed boolean not null default false,
  primary key (account_id, source_ref)
);
create index simulated_reversals_due on simulated_reversals (reverses_at) where not reversed;
