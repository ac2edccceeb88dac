import type { Call, ChargeInquiry, ListQuery } from '../protocol/connector.ts';
import type { ChargeList, Outcome } from '../protocol/messages.ts';
import type { Answered } from './api.ts';
import { attemptOf, type Desk, referenceOf } from './desk.ts';
import { outcomeOf, type Payment, readPayment, stateOf } from './payment.ts';
import { refundedOf } from './refund.ts';
import { rememberedAction } from './three-ds.ts';

export const pageSize = 50;
/** Pages of recent payments to scan if the search by reference is refused. */
const mostPages = 20;

interface Entries {
  entries: (Payment | null)[];
  hasMore: boolean;
}

interface Results {
  payments: Payment[];
  hasMore: boolean;
}

/** Returns the entries of a list, with null for those that are not valid payments. */
function entriesOf({ status, body }: Answered): Entries {
  const found =
    typeof body === 'object' && body !== null && 'results' in body ? body.results : null;
  if (status !== 200 || !Array.isArray(found)) {
    throw new Error(`Payway answered a search with status ${status} and an unreadable body.`);
  }
  const read = found.map((one) => readPayment(one));
  return {
    entries: read.map((one) => ('value' in one ? one.value : null)),
    hasMore: 'hasMore' in Object(body) && Object(body).hasMore === true,
  };
}

export const invalidEntry = 'Payway lists an entry that is not a valid payment.';

function resultsOf(answered: Answered): Results {
  const { entries, hasMore } = entriesOf(answered);
  const payments = entries.filter((one) => one !== null);
  if (payments.length < entries.length) throw new Error(invalidEntry);
  return { payments, hasMore };
}

const page = (offset: number): string => `/payments?offset=${offset}&pageSize=${pageSize}`;

/** Finds a payment by reference; on sites that refuse this search, scans recent payments. */
export async function search(
  { api }: Desk,
  reference: string,
  signal: AbortSignal,
): Promise<Payment | null> {
  const named = ({ site_transaction_id: own }: Payment): boolean => own === reference;
  const query = `/payments?siteOperationId=${encodeURIComponent(reference)}&pageSize=10`;
  const direct = await api.get(query, signal);
  if (direct.status !== 400) return resultsOf(direct).payments.find(named) ?? null;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { payments, hasMore } = resultsOf(await api.get(page(pages * pageSize), signal));
    const found = payments.find(named);
    if (found || !hasMore) return found ?? null;
  }
  throw new Error(
    `The payment is not among the last ${mostPages * pageSize} payments of the site.`,
  );
}

/** Returns a page of the site's payments, newest first. New payments move the others. */
export const readPage = async (
  { api }: Pick<Desk, 'api'>,
  offset: number,
  signal: AbortSignal,
): Promise<Entries> => entriesOf(await api.get(page(offset), signal));

/**
 * Looks up a payment by the acquirer's id, because the search may lag. Returns null if it cannot be
 * read or has another reference.
 */
export async function byId(
  { api }: Pick<Desk, 'api'>,
  id: string,
  reference: string,
  signal: AbortSignal,
): Promise<Payment | null> {
  const { status, body } = await api.get(`/payments/${encodeURIComponent(id)}`, signal);
  const payment = readPayment(body);
  if (status !== 200 || 'fault' in payment) return null;
  return payment.value.site_transaction_id === reference ? payment.value : null;
}

export async function find(
  desk: Desk,
  attempt: string,
  id: string | null,
  signal: AbortSignal,
): Promise<Payment | null> {
  const reference = referenceOf(desk.config, attempt);
  const known = id === null ? null : await byId(desk, id, reference, signal);
  return known ?? (await search(desk, reference, signal));
}

/**
 * Returns the acquirer's state of a charge; repeats an open step of 3-D Secure. Returns null if the
 * acquirer does not know the charge.
 */
export async function inquire(
  desk: Desk,
  { attempt, known }: ChargeInquiry,
  { signal }: Call,
): Promise<Outcome | null> {
  const knownOutcome = known?.outcome;
  const id = knownOutcome?.outcome === 'approved' ? knownOutcome.reference : null;
  const payment = await find(desk, attempt, id, signal);
  if (!payment) return null;
  // Repeats the step after its deadline as well, so that the service stops waiting for the payer.
  const open = payment.status?.endsWith(' pending') && rememberedAction(desk, attempt, known?.memo);
  return open || outcomeOf(payment);
}

/** The acquirer's dates are local time, to the minute, with an incorrect Z suffix. */
const localOffsetMs = 3 * 3_600_000;

/** Returns when a payment began, in milliseconds. NaN if its date is unreadable. */
const timeOf = (payment: Payment, begunAt: string | null): number =>
  begunAt
    ? Date.parse(begunAt)
    : Date.parse(String(payment.date ?? '').replace(/Z?$/, 'Z')) + localOffsetMs;

function isWithin(payment: Payment, begunAt: string | null, { from, until }: ListQuery): boolean {
  const at = timeOf(payment, begunAt);
  // Includes payments without a readable date: the caller drops those that are not its own.
  return Number.isNaN(at) || (at >= Date.parse(from) && at < Date.parse(until));
}

/** Allowed disorder of the list, which has the newest payments first. */
const disorderMs = 2 * 86_400_000;

/**
 * Returns true if this page and all later ones are before the queried days. Needs a payment of ours
 * on the page: if the sandbox moved the clock, payments of others may look too old.
 */
const isPast = (
  desk: Desk,
  payments: readonly Payment[],
  { from, begunAt }: ListQuery,
): boolean => {
  const attempts = payments.map((one) => attemptOf(desk.config, one.site_transaction_id));
  return (
    attempts.some((one) => one !== null) &&
    payments.every((one, index) => {
      const attempt = attempts[index] ?? null;
      return timeOf(one, attempt && begunAt(attempt)) < Date.parse(from) - disorderMs;
    })
  );
};

/**
 * Returns one page of the acquirer's list. Its API cannot filter by day, so a page may be empty,
 * and the list ends with the first page that is older.
 */
export async function list(desk: Desk, query: ListQuery, { signal }: Call): Promise<ChargeList> {
  const offset = /^\d{1,9}$/.test(query.after ?? '') ? Number(query.after) : 0;
  const { payments, hasMore } = resultsOf(await desk.api.get(page(offset), signal));
  const charges: ChargeList['charges'] = [];
  for (const payment of payments) {
    const attempt = attemptOf(desk.config, payment.site_transaction_id);
    // One-peso payments that stored a card are not charges of the service.
    if (attempt?.startsWith('K')) continue;
    if (!isWithin(payment, attempt && query.begunAt(attempt), query)) continue;
    charges.push({
      attempt: attempt ?? payment.site_transaction_id.slice(0, 64),
      outcome: stateOf(payment),
      reference: String(payment.id),
      amount: payment.amount,
      refunded: await refundedOf(desk, payment, signal),
    });
  }
  const goesOn = hasMore && !isPast(desk, payments, query);
  return { charges, ...(goesOn && { next: String(offset + pageSize) }) };
}
