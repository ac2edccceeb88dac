-- The latest results of a request, of which an open QR has any number. Serves what
-- results_by_request served.
create index results_of_request on results (account_id, request_id, informed_at);
