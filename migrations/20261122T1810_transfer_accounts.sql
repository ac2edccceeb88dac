-- Accounts that a connector opened for the transfers of one request: what arrives there is its.
create table transfer_accounts (
  account_id text not null,
  request_id bigint not null,
  connector text not null,
  cvu text not null check (cvu ~ '^[0-9]{22}$'),
  opened_at timestamptz not null,
  primary key (account_id, request_id, connector)
);
-- Over all accounts: a transfer names nothing else.
create unique index transfer_accounts_cvu on transfer_accounts (cvu);
