-- Of one lane of a request one attempt is open at a time. Most requests have lane 0 alone; one that
-- stays open for many payments gives each attempt its own, so that its payers do not wait.
alter table attempts add column lane bigint not null default 0;
drop index attempts_one_open;
create unique index attempts_one_open on attempts (account_id, request_id, lane)
  where state <> 'done';
