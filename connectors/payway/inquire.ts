import type { Call, ChargeInquiry, ListQuery } from '../protocol/connector.ts';
import type { ChargeList, Outcome } from '../protocol/messages.ts';
import type { Answered } from './api.ts';
import { attemptOf, type Desk, referenceOf } from './desk.ts';
import { outcomeOf, type Payment, readPayment, stateOf } from './payment.ts';
import { refundedOf } from './refund.ts';
import { rememberedAction } from './three-ds.ts';

const pageSize = 50;
/** Pages of recent payments to scan if the search by reference is refused. */
const mostPages = 20;

interface Results {
  payments: Payment[];
  hasMore: boolean;
}

function resultsOf({ status, body }: Answered): Results {
  const found =
    typeof body === 'object' && body !== null && 'results' in body ? body.results : null;
  if (status !== 200 || !Array.isArray(found)) {
    throw new Error(`Payway answered a search with status ${status} and an unreadable body.`);
  }
  const read = found.map((one) => readPayment(one));
  const payments = read.flatMap((one) => ('value' in one ? [one.value] : []));
  if (payments.length < found.length)
    throw new Error('Payway lists an entry that is not a valid payment.');
  return { payments, hasMore: 'hasMore' in Object(body) && Object(body).hasMore === true };
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

/** Yields the site's payments, newest first. */
export async function* lastPayments({ api }: Desk, signal: AbortSignal): AsyncGenerator<Payment> {
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { payments, hasMore } = resultsOf(await api.get(page(pages * pageSize), signal));
    yield* payments;
    if (!hasMore) return;
  }
}

/** Looks up by the acquirer's id, if one is known, because the search may lag. */
async function byId(
  { api }: Desk,
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

/** Returns the acquirer's state of a charge; repeats an open step of 3-D Secure. */
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

function isWithin(payment: Payment, begunAt: string | null, { from, until }: ListQuery): boolean {
  const at = begunAt
    ? Date.parse(begunAt)
    : Date.parse(String(payment.date ?? '').replace(/Z?$/, 'Z')) + localOffsetMs;
  // Includes payments without a readable date: the caller drops those that are not its own.
  return Number.isNaN(at) || (at >= Date.parse(from) && at < Date.parse(until));
}

/**
 * Returns one page of the acquirer's list. Its API cannot filter by day, so a page may be empty.
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
  return { charges, ...(hasMore && { next: String(offset + pageSize) }) };
}
