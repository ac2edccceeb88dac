-- What came from another provider: the id that it had there, and what it became here. An id is moved
-- once, whoever gives its file again.
create table moved_in (
  account_id text not null,
  kind text not null check (kind in ('payment_request', 'debit_request', 'adhesion', 'qr')),
  old_id text not null,
  -- The number of the request or mandate.
  new_id bigint not null,
  moved_at timestamptz not null,
  primary key (account_id, kind, old_id)
);
create unique index moved_in_by_new_id on moved_in (account_id, kind, new_id);
revoke delete, truncate on moved_in from current_user;
