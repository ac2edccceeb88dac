-- How often a worker took the batch since a step of it last succeeded: what fails again and again,
-- or ends its process, is given up.
alter table batches add column tries integer not null default 0;
