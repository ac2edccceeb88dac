-- What the outside world says of money and the books do not, or the other way round: a row a fact,
-- until a person closes it. Of the deployment, as some facts are of no account.
create table money_alarms (
  id bigint primary key,
  kind text not null,
  -- Names the fact: raised again, it is the same row.
  fact text not null,
  message text not null,
  connector text,
  account_id text,
  request_id bigint,
  attempt_id bigint,
  result_id bigint,
  suspense_id bigint,
  -- In centavos; null: the fact has no amount.
  amount bigint,
  raised_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  note text,
  unique (kind, fact),
  check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (note is null))
);
create index money_alarms_open on money_alarms (id) where closed_at is null;

-- Of those that one row a connector and kind held, the last of each is all that is known.
with moved as (
  delete from connector_alarms where kind in ('amount', 'reference', 'excluded_brand',
    'late_approval', 'not_returned', 'back_before', 'refund', 'reversed_in_suspense', 'undecided')
  returning *
)
insert into money_alarms (id, kind, fact, message, connector, raised_at)
select nextval('record_ids'), kind, 'before alarms had a row a fact: ' || connector || ' ' || channel,
  message, connector, last_at
from moved;
revoke delete, truncate on money_alarms from current_user;
