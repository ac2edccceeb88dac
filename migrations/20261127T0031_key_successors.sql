-- The key that a rotation made in place of this one.
alter table api_keys add column replaced_by bigint;
