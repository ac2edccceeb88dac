-- What channels refused of a request: counted before the next try.
create index results_refused on results (account_id, request_id, informed_at)
  where type = 'rejected' and source = 'attempt';
