-- As events_activity_by_account, and with the payment requests that keys cancel, which expire at
-- once. src/events/activity.ts has the same condition, word by word.
create index events_activity_of_account on events (account_id, at, id) where
  entity <> all (array['payment_request', 'debit_request', 'card_debit_request', 'qr',
    'static_qr', 'transfer_account', 'adhesion', 'card_adhesion'])
  or actor like 'user:%' or actor like 'operator:%'
  or (actor like 'key:%' and type = any (array['payment_request.expired',
    'payment_request.refund_requested', 'debit_request.canceled', 'debit_request.refund_requested',
    'card_debit_request.canceled', 'card_debit_request.refund_requested', 'qr.edited', 'qr.deleted',
    'qr.refund_requested', 'adhesion.canceled', 'card_adhesion.canceled']));
