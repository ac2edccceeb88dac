-- When people were last told that evidence of a dispute is due; null: not yet. On the business clock.
alter table disputes add column warned_at timestamptz;
