-- Each kind looks for its own next expiry every second: without the kind in front, one that has few
-- pending requests reads all of the others'.
create index requests_next_to_expire on requests (kind, last_due) where state = 'pending';
drop index requests_to_expire;

-- A queue like the outbox: what was folded is removed at once, and its dead rows must not wait for a
-- share of the table.
alter table balance_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
