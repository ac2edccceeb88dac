-- Approvals that nobody may want: noted before they are recorded, so that none is forgotten should
-- the machine die in between. What goes back goes by a refund.
create table unwanted_approvals (
  account_id text not null,
  attempt_id bigint not null,
  request_id bigint not null,
  -- Why it goes back; null: not known, or it does not.
  why text check (why in ('late', 'paid_otherwise', 'excluded')),
  state text not null default 'noted' check (state in ('noted', 'returning', 'returned', 'kept')),
  -- When it is looked at again, on the business clock.
  look_at timestamptz check ((look_at is null) = (state in ('returned', 'kept'))),
  primary key (account_id, attempt_id)
);
create index unwanted_approvals_of_request on unwanted_approvals (account_id, request_id);
create index unwanted_approvals_to_look_at on unwanted_approvals (look_at)
  where look_at is not null;
