export const debitStates = [
  'pending',
  'in_process',
  'paid',
  'rejected',
  'canceled',
  'reverted',
  'refunded',
] as const;
