-- Lines on their way out of the database: of each account and day the last seal. What counts is the
-- copy outside, which the audit compares with the chains; these rows say what is still to be sent.
create table anchors (
  account_id text not null,
  day date not null,
  seal_no integer not null,
  hash bytea not null,
  sent_at timestamptz,
  primary key (account_id, day)
);
create index anchors_unsent on anchors (day, account_id) where sent_at is null;
