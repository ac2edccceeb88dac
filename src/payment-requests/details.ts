import type { ChannelCode } from '../money/channels/index.ts';
import type { RequestOf, RequestRow, StateOf } from '../requests/index.ts';

/** An item as sent. Amounts stay numbers or texts. */
export interface Item {
  quantity?: number;
  description: string;
  amount: number | string;
}

/** Details of a payment request, beyond the columns that all requests have. */
export type PaymentRequestDetails = {
  barcode: string;
  /** The code that payers type at their bank. Absent if issued without a check digit. */
  payment_code?: string;
  payer_email?: string | null;
  back_url_success?: string | null;
  back_url_pending?: string | null;
  back_url_rejected?: string | null;
  /** As sent, in upper or lower case. Use `allows` to read it. */
  excluded_channels?: string[] | null;
  excluded_card_brands?: (string | number)[] | null;
  excluded_installments?: number[] | null;
  metadata?: Record<string, unknown> | null;
  items?: Item[] | null;
};

export type PaymentRequestState = StateOf<'payment_request'>;

export type PaymentRequestRow = RequestOf<'payment_request', PaymentRequestDetails>;

export const isPaymentRequest = (row: RequestRow): row is PaymentRequestRow =>
  row.kind === 'payment_request';

/** Returns true if the payer may use a channel. Ignores the case of stored codes. */
export const allows = (row: PaymentRequestRow, channel: ChannelCode): boolean =>
  !(row.details.excluded_channels ?? []).some(
    (excluded) => excluded.toLowerCase() === channel.toLowerCase(),
  );
