-- Payments that a network began and told of, by its own id of each: it is booked once, and what was
-- reversed is booked no more, in whatever order that is told. Of the deployment, as such ids are.
create table network_charges (
  connector text not null,
  trx text not null,
  -- The attempt that it is; null: nobody's yet, so that its money waits in suspense.
  account_id text,
  attempt_id bigint,
  reversed_at timestamptz,
  primary key (connector, trx),
  check ((account_id is null) = (attempt_id is null))
);
