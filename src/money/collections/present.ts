import { isoDateTime, isoMidnight } from '../../kernel/dates.ts';
import { minus, plus, toJsonNumber } from '../../kernel/money.ts';
import type { ResultRow, ResultType } from './result.ts';
import type { WithholdingLine } from './store.ts';

const pesos = toJsonNumber;

const typeNames: Record<ResultType, string> = {
  collected: 'collected',
  rejected: 'rejected',
  chargeback: 'chargeback',
  refund: 'refund',
};

/** Presents an item of `request_result`. Rejections have no fees and no net amount. */
export function presentResult(row: ResultRow) {
  const gross = plus(row.net_fee, row.fee_iva);
  const comment = row.details.state_comment;
  return {
    id: row.id,
    type: `${typeNames[row.type]}_${row.kind}_result`,
    channel: row.channel_label,
    ...(row.reverses_id !== null && { reversed_result_id: row.reverses_id }),
    ...(row.type === 'collected' && { paid_at: isoDateTime(row.paid_at) }),
    ...(row.type === 'rejected' && { rejected_at: isoDateTime(row.paid_at) }),
    ...((row.type === 'chargeback' || row.type === 'refund') && {
      reverted_at: isoDateTime(row.paid_at),
    }),
    created_at: isoDateTime(row.informed_at),
    ...(row.available_on !== null && {
      available_at: isoMidnight(row.available_on),
      is_available: row.released_on !== null,
    }),
    amount: pesos(row.amount),
    ...(row.type !== 'rejected' && {
      net_fee: pesos(row.net_fee),
      fee_iva: pesos(row.fee_iva),
      gross_fee: pesos(gross),
      net_amount: pesos(minus(row.amount, gross)),
    }),
    ...(row.details.payment_metadata && {
      payment_metadata: { holder_email: '', ...row.details.payment_metadata },
    }),
    ...(comment !== undefined && { state_comment: comment }),
  };
}

const maxRejections = 50;

/**
 * Presents `request_result`: all movements of money, the last 50 rejections, and the number of
 * omitted ones.
 */
export function presentResults(rows: ResultRow[]) {
  const rejected = rows.filter(({ type }) => type === 'rejected').length;
  const leftOut = Math.max(0, rejected - maxRejections);
  let skipped = 0;
  const visibleRows = rows.filter(({ type }) => type !== 'rejected' || skipped++ >= leftOut);
  return {
    request_result: visibleRows.map(presentResult),
    ...(leftOut > 0 && { rejected_results_left_out: leftOut }),
  };
}

/** Presents an item of `retentions`, for `detail_retentions=true`. Rates are in percent. */
export const presentRetention = (line: WithholdingLine) => ({
  regime: line.regime,
  jurisdiction: line.jurisdiction,
  base: pesos(line.base),
  rate: line.ratePpm / 10_000,
  amount: pesos(line.amount),
  certificate: line.certificate,
});
