-- In a transaction of its own, so that no writer waits for both locks at once.
drop index events_activity_by_account;
