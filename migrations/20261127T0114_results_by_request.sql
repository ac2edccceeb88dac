-- In a transaction of its own, so that no writer waits for both locks at once.
drop index results_by_request;
