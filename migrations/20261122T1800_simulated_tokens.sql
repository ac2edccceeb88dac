-- The sandbox's simulator answers the protocol of connectors: the same call twice is one charge or
-- refund, another content under the same id is refused, and a token is good for one charge.
alter table simulated_charges
  add column amount bigint,
  add column digest text,
  add column token text;
update simulated_charges c set amount = a.amount
  from attempts a where a.account_id = c.account_id and a.id = c.attempt_id;
create unique index simulated_charges_token on simulated_charges (account_id, token)
  where token is not null;

alter table simulated_refunds
  add column attempt_id bigint,
  add column amount bigint,
  add column digest text;
create index simulated_refunds_of on simulated_refunds (account_id, attempt_id);
