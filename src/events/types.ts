/** The events that webhooks deliver; every other event is for the audit log alone. */
export const deliveredTypes: string[] = [
  'payment_request.paid',
  'payment_request.rejected',
  'payment_request.expired',
  'payment_request.reverted',
  'payment_request.refunded',
];
