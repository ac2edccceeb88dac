-- The card plans that are enabled for an account; a brand without a row has all that there are.
create table account_plans (
  account_id text not null,
  brand text not null,
  installments smallint[] not null,
  primary key (account_id, brand)
);
