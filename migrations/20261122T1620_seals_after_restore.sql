-- A database that was restored into another cluster has events of transaction numbers that are yet
-- to come there. Those up to this id were sealed then; the sealer does not take them for new ones.
alter table seal_marks add column restored_id bigint not null default 0;
