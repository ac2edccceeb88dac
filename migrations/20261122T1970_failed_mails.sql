-- Letters that were given up: the operator's first page counts them.
create index mails_failed on mails (account_id, id) where state = 'failed';
