-- Each new link of a mandate has the next number, and the one before is good no longer.
alter table mandates add column link_no smallint not null default 1;
