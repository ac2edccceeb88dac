import { isoDateTime } from '../../kernel/dates.ts';
import { toJsonNumber } from '../../kernel/money.ts';
import type { Links } from '../../platform/links.ts';
import { qrImageUrls } from '../images/urls.ts';
import { statusNames } from '../state.ts';
import { dayOfInstant, paidTimes } from '../times.ts';
import type { FoundStatic } from './get.ts';
import type { StaticAnswer, TransactionAnswer } from './schema.ts';
import { liveTransaction, staticState, transactionState } from './state.ts';
import type { StaticRow, StaticState, TransactionRow } from './store.ts';

export interface StaticQrView {
  links: Links;
  now: Temporal.Instant;
}

const createdTimes = ({ created_at }: { created_at: Temporal.Instant }) => ({
  created_at: dayOfInstant(created_at),
  created_at_time: isoDateTime(created_at),
});

const transactionMembers = (row: TransactionRow, now: Temporal.Instant) => ({
  request_id: row.id,
  first_total: toJsonNumber(row.total1),
  ...(row.reference !== null && { external_reference: row.reference }),
  status: statusNames[transactionState(row, now)],
  ...createdTimes(row),
  expires_at: isoDateTime(row.expires_at),
  ...paidTimes(row),
});

const codeOf = (row: StaticRow, links: Links) => ({
  qr_string: row.payload,
  ...qrImageUrls(links, { accountId: row.account_id, id: row.number }),
});

/** Presents a static QR for POST /create-qr and GET /status-static. */
export function presentStatic(state: StaticState, { links, now }: StaticQrView): StaticAnswer {
  const { row, paid } = state;
  const live = row.open_amount ? null : liveTransaction(state, now);
  return {
    id: row.id,
    account_id: row.account_id,
    cuit: row.cuit,
    qr_type: row.open_amount ? 'static_open_amount' : 'static_closed_amount',
    qr_name: row.name,
    city: row.city,
    ...(row.postal_code !== null && { postal_code: row.postal_code }),
    multiple_payment: row.multiple_payment,
    description: row.description,
    payer_name: row.payer,
    status: statusNames[staticState(state)],
    ...createdTimes(row),
    ...(paid !== null && paidTimes(paid)),
    ...(live !== null && { transaction: { qr_id: live.code, ...transactionMembers(live, now) } }),
    ...codeOf(row, links),
  };
}

/** Presents a transaction for GET /status-static. */
export const presentTransaction = (
  row: TransactionRow,
  of: StaticRow,
  { links, now }: StaticQrView,
): TransactionAnswer => ({
  id: row.code,
  static_id: row.static_id,
  account_id: row.account_id,
  cuit: of.cuit,
  description: row.description,
  payer_name: row.payer,
  ...transactionMembers(row, now),
  ...codeOf(of, links),
});

export const presentFound = (
  found: FoundStatic,
  view: StaticQrView,
): StaticAnswer | TransactionAnswer =>
  found.kind === 'static'
    ? presentStatic(found.state, view)
    : presentTransaction(found.row, found.of, view);
