-- The operator's list of accounts.
create index accounts_by_name on accounts (lower(name), id);
