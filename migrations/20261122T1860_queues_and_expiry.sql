-- QRs and the other kinds look for their own next expiry every second: in one index, the kind that has
-- few pending requests would read all of the others'.
create index requests_to_expire_but_qrs on requests (last_due) where state = 'pending' and kind <> 'qr';
create index qrs_to_expire on requests (last_due) where state = 'pending' and kind = 'qr';
drop index requests_to_expire;

-- A queue like the outbox: what was folded is removed at once, and its dead rows must not wait for a
-- share of the table.
alter table balance_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
