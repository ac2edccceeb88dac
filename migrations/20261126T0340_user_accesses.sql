-- Who failed and who looked: sign-ins that failed or had to wait, acts that were refused, files that
-- were taken. Repeated within an hour it is one row with a count, so a stranger cannot fill it.
create table user_accesses (
  id bigint primary key,
  -- Names the row within its hour.
  fold bytea not null unique,
  kind text not null check (kind in ('sign_in_failed', 'sign_in_waits', 'factor_failed',
    'act_refused', 'file_taken')),
  -- Null: it is about no account that the person belongs to.
  account_id text,
  -- Null: nobody is known by what was tried.
  user_id bigint,
  address text not null,
  detail text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count int not null
);
create index user_accesses_of_account on user_accesses (account_id, id) where account_id is not null;
create index user_accesses_of_user on user_accesses (user_id, id) where user_id is not null;
create index user_accesses_by_time on user_accesses (last_at);
