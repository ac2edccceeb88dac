-- Room beside each delivery for its next version. Neighbours are claimed together, so in one transaction
-- each needs a place of its own; without it most went into all indexes anew. What that left in table
-- and indexes took as much room as this does.
alter table deliveries set (fillfactor = 40);
