-- Calls of the APIs, for who writes an integration: of each account the newest 100,000 of the last
-- 14 days, by the wall clock. Never a body, a header or the value of a query. Written behind the
-- calls; what was left out under load is counted.
create table api_calls (
  account_id text not null,
  at timestamptz not null,
  request_id uuid not null,
  method text not null,
  -- With the names of the query's values.
  path text not null,
  -- 499: its caller did not wait for the answer.
  status smallint not null,
  ms integer not null,
  -- The key that called.
  key_id bigint,
  primary key (account_id, at, request_id)
);

-- Calls of a minute that were not written.
create table api_calls_left_out (
  account_id text not null,
  at timestamptz not null,
  calls bigint not null,
  primary key (account_id, at)
);
