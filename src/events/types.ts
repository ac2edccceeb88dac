/** A kind of event for webhooks. Every other event is for the audit log only. */
export interface EventType {
  /** Stable, because integrators may register webhooks with it. */
  id: number;
  name: string;
}

export const eventTypes = [
  { id: 1, name: 'payment_request.paid' },
  { id: 2, name: 'payment_request.rejected' },
  { id: 3, name: 'payment_request.expired' },
  { id: 4, name: 'payment_request.reverted' },
  { id: 5, name: 'payment_request.refunded' },
  { id: 6, name: 'payment_request.refund_requested' },
  { id: 7, name: 'payment_request.refund_failed' },
  { id: 8, name: 'payment_request.disputed' },
  { id: 11, name: 'qr.paid' },
  { id: 12, name: 'qr.refunded' },
  { id: 13, name: 'qr.deleted' },
  { id: 14, name: 'qr.expired' },
  { id: 15, name: 'qr.refund_requested' },
  { id: 16, name: 'qr.refund_failed' },
  { id: 17, name: 'qr.disputed' },
  { id: 21, name: 'qr_batch.completed' },
  { id: 22, name: 'qr_batch.failed' },
  { id: 31, name: 'adhesion.signed' },
  { id: 32, name: 'adhesion.canceled' },
  { id: 33, name: 'card_adhesion.signed' },
  { id: 34, name: 'card_adhesion.canceled' },
  { id: 35, name: 'card_adhesion.card_updated' },
  { id: 36, name: 'card_adhesion.card_closed' },
  { id: 37, name: 'card_adhesion.card_expiring' },
  { id: 41, name: 'debit_request.paid' },
  { id: 42, name: 'debit_request.rejected' },
  { id: 43, name: 'debit_request.canceled' },
  { id: 44, name: 'debit_request.reverted' },
  { id: 45, name: 'debit_request.refunded' },
  { id: 46, name: 'debit_request.refund_requested' },
  { id: 47, name: 'debit_request.refund_failed' },
  { id: 51, name: 'card_debit_request.paid' },
  { id: 52, name: 'card_debit_request.rejected' },
  { id: 53, name: 'card_debit_request.canceled' },
  { id: 54, name: 'card_debit_request.reverted' },
  { id: 55, name: 'card_debit_request.refunded' },
  { id: 56, name: 'card_debit_request.refund_requested' },
  { id: 57, name: 'card_debit_request.refund_failed' },
  { id: 58, name: 'card_debit_request.disputed' },
] as const satisfies readonly EventType[];

/** Stands for every type in a webhook's list, also for those that later releases add. */
export const everyEvent = { id: 0, name: '*' } as const satisfies EventType;

export type EventName = (typeof eventTypes)[number]['name'];

/** Entities whose ids are strings. All others have numbers. */
const namedByText: readonly string[] = ['qr', 'qr_batch', 'transfer_account'];

export const hasNumber = (entity: string): boolean => !namedByText.includes(entity);
