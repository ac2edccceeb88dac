-- The hashes of the passwords before the one that stands, the latest first: a new one is none of
-- the last four.
alter table users add column former_hashes text[] not null default '{}';
