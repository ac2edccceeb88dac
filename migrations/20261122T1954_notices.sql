-- What somebody who works for an account wishes to be told of by mail, beside what he is told anyway.
alter table memberships add column notices text[] not null default '{}'
  check (notices <@ array['rejected_debits', 'webhooks', 'disputes', 'payouts', 'summary']);

-- How far what happened in an account was told of; for accounts of which somebody wishes to be told.
create table notice_marks (
  account_id text primary key,
  -- When it is looked at again, by the wall clock.
  look_at timestamptz not null,
  -- The place in the feed up to which its events were told.
  position bigint not null,
  -- The payouts and failing webhooks that were told of, of those that are looked at.
  payouts bigint[] not null,
  webhooks bigint[] not null,
  -- The last day of which a summary was told.
  summary_day date not null
);
create index notice_marks_look_at on notice_marks (look_at);
