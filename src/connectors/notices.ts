import type { Notice } from '../../connectors/protocol/messages.ts';
import { type Centavos, centavos } from '../kernel/money.ts';
import type { AlarmKind } from '../money/channels/index.ts';
import type { Attempts } from '../money/charges/index.ts';
import { type FindRequest, findBySource, type ResultRow } from '../money/collections/index.ts';
import type { Reverse } from '../money/reversals/index.ts';
import { findSuspended } from '../money/suspense/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import { conflict, Refusal, unavailable } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestKey } from '../requests/index.ts';
import { attemptIn } from './order.ts';

/** Money that arrived on an account of the deployment's. */
export interface ArrivedTransfer {
  cvu: string;
  amount: Centavos;
  paidAt: Temporal.Instant;
  source: string;
  sourceRef: string;
  actor: Actor;
}

export interface NoticeParts {
  sql: Queryable;
  business: BusinessClock;
  attempts: Attempts;
  find: FindRequest;
  reverse: Reverse;
  receiveTransfer(transfer: ArrivedTransfer): Promise<void>;
  alarm(connector: string, kind: AlarmKind, text: string): void;
}

type Told<Type extends Notice['type']> = Extract<Notice, { type: Type }>;

/** Where a connector's facts come from: no other source has a colon and this word. */
const sourceOf = (connector: string): string => `connector:${connector}`;

const actorOf = (name: string): Actor => ({ kind: 'connector', name });

const nobodys = (what: string): Refusal =>
  new Refusal('not_found', `There is no ${what} of this connector with this id.`);

/** The collected payment of a charge; undefined: it was not recorded. */
async function paymentOf(
  { find }: NoticeParts,
  key: RequestKey,
  attemptId: number,
): Promise<ResultRow | undefined> {
  const refs = [String(attemptId), `${attemptId} approved`];
  const found = await find(key);
  return found?.results.find(
    ({ type, source, source_ref: ref }) =>
      type === 'collected' && source === 'attempt' && refs.includes(ref),
  );
}

/** Takes a payment back; one that went back otherwise before is left as it is. */
async function takeBack(
  parts: NoticeParts,
  connector: string,
  back: {
    key: RequestKey;
    type: 'refund' | 'chargeback';
    payment: ResultRow;
    sourceRef: string;
    comment: string;
  },
): Promise<void> {
  const { key, type, payment, sourceRef, comment } = back;
  try {
    await parts.reverse({
      key,
      type,
      resultId: payment.id,
      amount: null,
      actor: actorOf(connector),
      source: sourceOf(connector),
      sourceRef,
      comment,
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
    const text = `result ${payment.id} of account ${key.accountId} went back before: ${sourceRef}`;
    parts.alarm(connector, 'back_before', text);
  }
}

/** Asks what became of a charge, and believes the answer alone. */
async function chargeChanged(
  parts: NoticeParts,
  connector: string,
  { attempt }: Told<'charge.changed'>,
): Promise<void> {
  const named = attemptIn(attempt);
  const asked = named && (await parts.attempts.ask(named, connector));
  if (!asked) throw nobodys('charge');
  const { requestId, outcome, closed } = asked;
  if (outcome === 'unknown') {
    // Open or not: told again, it is asked for again.
    throw unavailable('What became of the charge could not be learned now. Send the notice again.');
  }
  if (outcome !== 'canceled' || !closed) return;
  const key = { accountId: named.accountId, id: requestId };
  const payment = await paymentOf(parts, key, named.attemptId);
  if (!payment) return;
  const sourceRef = `canceled ${attempt}`;
  const comment = 'Given back by the acquirer.';
  await takeBack(parts, connector, { key, type: 'refund', payment, sourceRef, comment });
}

async function chargedBack(
  parts: NoticeParts,
  connector: string,
  { id, attempt, amount }: Told<'charge.charged_back'>,
): Promise<void> {
  const named = attemptIn(attempt);
  const requestId = named && (await parts.attempts.requestOf(named, connector));
  if (!named || requestId === null) throw nobodys('charge');
  const key = { accountId: named.accountId, id: requestId };
  const known = await paymentOf(parts, key, named.attemptId);
  // It may be told before its approval was heard.
  if (!known) await parts.attempts.ask(named, connector);
  const payment = known ?? (await paymentOf(parts, key, named.attemptId));
  if (!payment) throw conflict('The charge is not known as paid. Send the notice again later.');
  if (payment.amount !== amount) {
    const text = `${amount} centavos of ${payment.amount} were charged back: ${attempt}, booked whole`;
    parts.alarm(connector, 'amount', text);
  }
  const sourceRef = `chargeback ${id}`;
  const comment = 'Charged back.';
  await takeBack(parts, connector, { key, type: 'chargeback', payment, sourceRef, comment });
}

/** A moment to come is the mistake of a clock: the money is here all the same. */
function paidAtIn(text: string, now: Temporal.Instant): Temporal.Instant {
  try {
    const told = Temporal.Instant.from(text);
    return Temporal.Instant.compare(told, now) > 0 ? now : told;
  } catch {
    throw new Refusal('malformed', 'paid_at is no moment.');
  }
}

const transferReceived = (
  { business, receiveTransfer }: NoticeParts,
  connector: string,
  { id, cvu, amount, paid_at: paidAt }: Told<'transfer.received'>,
): Promise<void> =>
  receiveTransfer({
    cvu,
    amount: centavos(amount),
    paidAt: paidAtIn(paidAt, business.now()),
    source: sourceOf(connector),
    sourceRef: `transfer ${id}`,
    actor: actorOf(connector),
  });

/** What was recorded goes back whole; what waits in suspense is the operator's to return. */
async function transferReversed(
  parts: NoticeParts,
  connector: string,
  { id, amount }: Told<'transfer.reversed'>,
): Promise<void> {
  const source = sourceOf(connector);
  const recorded = await findBySource(parts.sql, source, `transfer ${id}`);
  const found = recorded ?? (await findSuspended(parts.sql, source, `transfer ${id}`));
  if (!found) throw conflict('The transfer was not told before. Send transfer.received first.');
  if (found.amount !== amount) {
    const text = `${amount} centavos of ${found.amount} of transfer ${id} were reversed, booked whole`;
    parts.alarm(connector, 'amount', text);
  }
  if (!recorded) {
    parts.alarm(connector, 'reversed_in_suspense', `transfer ${id} was reversed: return it`);
    return;
  }
  const key = { accountId: recorded.account_id, id: recorded.request_id };
  const payment = (await parts.find(key))?.results.find((one) => one.id === recorded.id);
  if (!payment) throw new Error(`result ${recorded.id} has no request`);
  const sourceRef = `reversed ${id}`;
  const comment = 'Reversed by the bank.';
  await takeBack(parts, connector, { key, type: 'chargeback', payment, sourceRef, comment });
}

/** Does what a notice says, once, however often it is told; answers what the connector is told. */
export async function heedNotice(
  parts: NoticeParts,
  connector: string,
  notice: Notice,
): Promise<Record<string, unknown>> {
  switch (notice.type) {
    case 'charge.changed':
      await chargeChanged(parts, connector, notice);
      return {};
    case 'charge.charged_back':
      await chargedBack(parts, connector, notice);
      return {};
    case 'transfer.received':
      await transferReceived(parts, connector, notice);
      return {};
    case 'transfer.reversed':
      await transferReversed(parts, connector, notice);
      return {};
    case 'qr.intention':
      return { status: 'fail', reason: 'Codes are not paid through connectors here.' };
    case 'qr.confirmed':
    case 'qr.reversed':
      throw nobodys('payment of a code');
  }
}
