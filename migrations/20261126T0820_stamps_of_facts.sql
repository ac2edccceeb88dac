-- The HMAC that a process makes of a fact about money as it writes it. Rows from before have none.
alter table results add column stamp bytea;
alter table corrections add column stamp bytea;
alter table payouts add column stamp bytea;
alter table suspense add column stamp bytea;
alter table refunds add column stamp bytea;
