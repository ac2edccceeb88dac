-- The addresses and CIDR ranges that may use a key. Null: any.
alter table api_keys add column ranges text[];
alter table api_keys add constraint api_keys_ranges_check check (cardinality(ranges) between 1 and 50);
