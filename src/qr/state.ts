import type { RequestState } from '../requests/index.ts';
import type { QrErrorName } from './codes.ts';
import { QrRefusal } from './refusal.ts';

/** States as the QR service writes them. */
export const statusNames = {
  pending: 'Pending',
  paid: 'Paid',
  expired: 'Expired',
  deleted: 'Deleted',
  refunded: 'Refunded',
  // No move of a QR leads here: money that goes back makes it refunded, whoever took it.
  reverted: 'Refunded',
} as const satisfies Record<RequestState, string>;

type Final = Exclude<RequestState, 'pending'>;

const names: Record<Final, QrErrorName> = {
  paid: 'qrPaid',
  deleted: 'qrDeleted',
  expired: 'qrExpired',
  refunded: 'qrRefunded',
  reverted: 'qrRefunded',
};

/** Why a QR in such a state cannot be changed or paid. */
export const stateRefusal = (state: Final, wanted: 'edited' | 'deleted' | 'paid'): QrRefusal =>
  new QrRefusal(
    names[state],
    `The QR is ${statusNames[state]}: only a Pending one can be ${wanted}.`,
  );

export const paymentOpen = (): QrRefusal =>
  new QrRefusal(
    'paymentOpen',
    'A payment of this QR is being processed. Repeat the call when its outcome is known.',
  );
