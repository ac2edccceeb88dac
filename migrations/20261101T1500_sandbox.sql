-- What the sandbox's simulated banks, processors and holders remember. Empty in production.

-- Charges put to them, and what they answer.
create table simulated_charges (
  account_id text not null,
  attempt_id bigint not null,
  outcome json not null,
  answers_at timestamptz not null,
  reverses_at timestamptz,
  reversed boolean not null default false,
  primary key (account_id, attempt_id)
);
-- The sweep that takes charges back.
create index simulated_charges_to_reverse on simulated_charges (reverses_at)
  where reverses_at is not null and not reversed;

-- Debits that holders take back.
create table simulated_reversals (
  account_id text not null,
  source_ref text not null,
  request_id bigint not null,
  reverses_at timestamptz not null,
  reversed boolean not null default false,
  primary key (account_id, source_ref)
);
-- The sweep that takes debits back.
create index simulated_reversals_due on simulated_reversals (reverses_at) where not reversed;
