-- Runs that were submitted and are in no file: what exports take, what the operator's desk counts, and
-- what the sandbox's bank looks at every second. Those in files, which wait for their answers by the
-- hundred thousand, are not among them.
create index debit_runs_in_no_file on debit_runs (kind, run_on)
  where state = 'submitted' and file_id is null and not charged;
