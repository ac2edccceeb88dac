-- The audit log of the operator's pages: what people did, and what changed how accounts are set up.
-- What programs make by the million is in none of these. The condition stands in src/events/log.ts
-- too, word by word.
create index events_log_by_time on events (at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
create index events_log_by_account on events (account_id, at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
create index events_log_by_actor on events (actor, at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
create index events_log_by_type on events (type, at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%';
create index operator_events_by_time on operator_events (at, id);
