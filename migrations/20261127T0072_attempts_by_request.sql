-- Erasures find the charges of requests, ended ones too.
create index attempts_by_request on attempts (account_id, request_id);
