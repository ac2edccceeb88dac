import { formatDay, isoDateTime } from '../../kernel/dates.ts';
import { toJsonNumber } from '../../kernel/money.ts';
import type { Links } from '../../platform/links.ts';
import { stateOn } from '../../requests/index.ts';
import { qrImageUrls } from '../images/urls.ts';
import { dynamicPayload, type QrTerms } from '../payload/payload.ts';
import type { QrDetails, QrRow } from '../row.ts';
import { statusNames } from '../state.ts';
import { dayOfInstant, paidTimes } from '../times.ts';
import type { QrAnswer } from './schema.ts';
import type { FoundQr, Money } from './store-reads.ts';

export interface QrView {
  links: Links;
  terms: QrTerms;
  today: Temporal.PlainDate;
}

const ownTime = (text: string | undefined): Temporal.Instant[] =>
  text === undefined ? [] : [Temporal.Instant.from(text)];

/** Returns the time of the last change, by a call or a fact. */
function updatedAt({ created_at, details }: QrRow, { informed_at }: Money): Temporal.Instant {
  return [
    ...ownTime(details.edited_at),
    ...ownTime(details.deleted_at),
    ...(informed_at === null ? [] : [informed_at]),
  ].reduce((last, one) => (Temporal.Instant.compare(one, last) > 0 ? one : last), created_at);
}

const sentOnly = ({ qr_type, qr_name, postal_code, payer_email }: QrDetails) => ({
  ...(qr_type && { qr_type }),
  ...(qr_name && { qr_name }),
  ...(postal_code && { postal_code }),
  ...(payer_email && { payer_email }),
});

const moneyMembers = ({ id, details }: QrRow, { payments, paid_at, refunded_at }: Money) => ({
  ...(payments > 0 && { request_id: id }),
  ...(details.multiple_payment && { payments }),
  ...paidTimes({ paid_at, refunded_at }),
});

const deletedTimes = (at: Temporal.Instant) => ({
  deleted_at: dayOfInstant(at),
  deleted_at_time: isoDateTime(at),
});

/** Presents the response of GET /status/{qr_id}. */
export function presentQr(
  { row, holder, money }: FoundQr,
  { links, terms, today }: QrView,
): QrAnswer {
  const { details } = row;
  const updated = updatedAt(row, money);
  const payload = dynamicPayload(terms, holder, row);
  return {
    id: row.code,
    cuit: holder.cuit,
    account_id: row.account_id,
    description: row.description,
    first_due_date: formatDay(row.due1),
    first_total: toJsonNumber(row.total1),
    ...(row.due2 !== null && { second_due_date: formatDay(row.due2) }),
    ...(row.total2 !== null && { second_total: toJsonNumber(row.total2) }),
    ...(row.reference !== null && { external_reference: row.reference }),
    payer_name: row.payer,
    city: details.city,
    ...sentOnly(details),
    multiple_payment: details.multiple_payment,
    status: statusNames[stateOn(row, today)],
    created_at: dayOfInstant(row.created_at),
    created_at_time: isoDateTime(row.created_at),
    updated_at: dayOfInstant(updated),
    updated_at_time: isoDateTime(updated),
    ...moneyMembers(row, money),
    ...(details.deleted_at !== undefined &&
      deletedTimes(Temporal.Instant.from(details.deleted_at))),
    ...(payload !== null && {
      qr_string: payload,
      ...qrImageUrls(links, { accountId: row.account_id, id: row.id }),
    }),
  };
}
