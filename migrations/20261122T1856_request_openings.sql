-- That somebody opened the checkout of a request for the first time; of whom or from where nothing
-- is kept. Once noted it never changes.
create table request_openings (
  account_id text not null,
  request_id bigint not null,
  at timestamptz not null,
  primary key (account_id, request_id)
);
revoke update, delete, truncate on request_openings from current_user;
