-- The worker looks every hour for discarded imports whose rows an older release left.
create index imports_discarded on imports (account_id, id) where state = 'discarded';
