-- The runs of an account by the day on which they are debited, for who looks at a day of them.
create index debit_runs_by_day on debit_runs (account_id, run_on, request_id, no);
