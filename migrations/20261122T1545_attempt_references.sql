-- What a call that may be sent again names its charge by: of one name there is one attempt.
alter table attempts add column reference text;
create unique index attempts_referenced on attempts (account_id, reference)
  where reference is not null;
