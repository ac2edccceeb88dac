/** Where a debit stands: both kinds have one life. */
export const debitStates = [
  'pending',
  'in_process',
  'paid',
  'rejected',
  'canceled',
  'reverted',
  'refunded',
] as const;
