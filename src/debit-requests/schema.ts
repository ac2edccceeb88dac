/** States of a debit: both kinds share one life cycle. */
export const debitStates = [
  'pending',
  'in_process',
  'paid',
  'rejected',
  'canceled',
  'reverted',
  'refunded',
] as const;
