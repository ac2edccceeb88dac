import { isoDateTime, isoMidnight } from '../kernel/dates.ts';
import { toJsonNumber } from '../kernel/money.ts';
import {
  isLive,
  presentResults,
  presentRetention,
  type ResultRow,
  type WithholdingLine,
} from '../money/collections/index.ts';
import type { Links } from '../platform/links.ts';
import { stateOn } from '../requests/index.ts';
import type { CreatedAnswer, PaymentRequestAnswer } from './answers.ts';
import type { PaymentRequestRow } from './details.ts';

/** Omits absent members. */
function sentOnly<T extends Record<string, unknown>>(members: T) {
  const sent: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== null && value !== undefined) sent[name] = value;
  }
  return sent as { [K in keyof T]?: NonNullable<T[K]> };
}

export const checkoutUrl = (links: Links, token: string): string =>
  `${links.origin}/checkout/${token}`;

/** Returns the paths of a request's documents, below the public origin. */
export const documentPaths = (token: string) => ({
  barcodeUrl: `/barcode/${token}.svg`,
  pdfUrl: `/coupon/${token}.pdf`,
});

/** Presents the response of POST /payment-request (interface 2.2). */
export function presentCreated(
  row: PaymentRequestRow,
  links: Links,
  today: Temporal.PlainDate,
): CreatedAnswer {
  const { details } = row;
  const token = links.tokenOf({ accountId: row.account_id, id: row.id });
  const documents = documentPaths(token);
  return {
    id: row.id,
    type: 'payment_request',
    state: stateOn(row, today),
    created_at: isoDateTime(row.created_at),
    ...sentOnly({ external_reference: row.reference }),
    payer_name: row.payer,
    ...sentOnly({ payer_email: details.payer_email }),
    description: row.description,
    first_due_date: isoMidnight(row.due1),
    first_total: toJsonNumber(row.total1),
    ...(row.due2 !== null && { second_due_date: isoMidnight(row.due2) }),
    ...(row.total2 !== null && { second_total: toJsonNumber(row.total2) }),
    barcode: details.barcode,
    checkout_url: checkoutUrl(links, token),
    barcode_url: links.origin + documents.barcodeUrl,
    pdf_url: links.origin + documents.pdfUrl,
    ...sentOnly({
      back_url_success: details.back_url_success,
      back_url_pending: details.back_url_pending,
      back_url_rejected: details.back_url_rejected,
      excluded_channels: details.excluded_channels,
      excluded_installments: details.excluded_installments,
      excluded_card_brands: details.excluded_card_brands,
      metadata: details.metadata,
      items: details.items,
    }),
  };
}

/** Returns the payer of the payment to present, or of the last one if all were reversed. */
const holderOf = (row: PaymentRequestRow, results: ResultRow[]) => {
  const paid = results.findLast(isLive) ?? results.findLast(({ type }) => type === 'collected');
  if (!paid) return {};
  const card = paid.details.payment_metadata;
  const email = card?.holder_email ?? row.details.payer_email;
  return {
    holder_data: {
      holder_name: card?.holder_name ?? row.payer,
      holder_email: email ?? '',
    },
  };
};

/** Returns the payment to present for a paid request: the last one not fully reversed. */
function lastPaymentOf(results: ResultRow[]) {
  const live = results.findLast(isLive);
  return live ? { paid_at: isoDateTime(live.paid_at), request_result_id: live.id } : {};
}

/**
 * Presents the response of GET /payment-request/{id}. Includes `retentions` only on demand and once
 * paid.
 */
export function presentPaymentRequest(
  row: PaymentRequestRow,
  links: Links,
  today: Temporal.PlainDate,
  { results, retentions }: { results: ResultRow[]; retentions: WithholdingLine[] | null },
): PaymentRequestAnswer {
  const paid = results.some((result) => result.type === 'collected');
  return {
    ...presentCreated(row, links, today),
    ...(row.state === 'expired' && sentOnly({ state_comment: row.state_comment })),
    ...lastPaymentOf(results),
    ...presentResults(results),
    ...holderOf(row, results),
    ...(retentions !== null && paid && { retentions: retentions.map(presentRetention) }),
  };
}
