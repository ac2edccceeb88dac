-- What is on its way to an account's available balance, by the day on which it comes: read from the
-- index alone, whatever the account collected before.
create index results_to_come on results (account_id, available_on) include (unreleased)
  where type = 'collected' and released_on is null;
