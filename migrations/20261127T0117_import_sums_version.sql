-- The version of the draft whose rows the sums add up. Processes of the release before the sums match
-- a draft without writing them, so sums of another version are stale.
alter table imports add column sums_version integer;
