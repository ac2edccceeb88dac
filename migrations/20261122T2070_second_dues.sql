-- Reminders of second dues go along them, account by account.
create index requests_second_dues on requests (account_id, last_due, id)
  where state = 'pending' and due2 is not null;
