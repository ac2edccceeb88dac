/** States of a debit, for both kinds. */
export const debitStates = [
  'pending',
  'in_process',
  'paid',
  'rejected',
  'canceled',
  'reverted',
  'refunded',
] as const;
