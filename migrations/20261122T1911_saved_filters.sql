-- What somebody looks for again and again in an account's lists, by the name that he gave it.
create table saved_filters (
  account_id text not null,
  user_id bigint not null,
  -- Which list it is of.
  list text not null check (list in ('requests')),
  name text not null,
  -- As the list's address says it.
  query text not null,
  created_at timestamptz not null,
  primary key (account_id, user_id, list, name)
);
