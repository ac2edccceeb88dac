import { refuseUnlessActive } from '../../accounts/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { type RequestRow, readRequests } from '../../requests/index.ts';
import type { Channel, ChannelCode, Channels } from '../channels/index.ts';
import { type AttemptRow, describe, startAttempt } from './attempt.ts';
import { refusal } from './codes.ts';
import { isForgedAttempt, isForgedPayment } from './forged.ts';
import type { SettleParts } from './reply.ts';
import { firstAskAt } from './schedule.ts';
import { settle } from './settle.ts';
import { closeAttempt, readAttempt } from './store.ts';
import {
  claimNetwork,
  insertNetworkAttempt,
  markReversed,
  type NetworkKey,
  readNetwork,
} from './store-network.ts';
import type { TryLimits } from './tries.ts';

/** A payment that a network started and reported. */
export interface NetworkPayment extends NetworkKey {
  channel: ChannelCode;
  /** The scanned code or the requested target, as the network repeats it. */
  target: string;
  amount: Centavos;
  actor: Actor;
}

export interface NetworkAttempt {
  accountId: string;
  attemptId: number;
  requestId: number;
}

export type Confirmed =
  | { outcome: 'recorded'; attempt: NetworkAttempt }
  /** Reversed. `attempt` is null if the payment was never reported, or if no request matches it. */
  | { outcome: 'reversed'; attempt: NetworkAttempt | null }
  /** No request matches, so the money goes to suspense. */
  | { outcome: 'nobodys' };

export interface NetworkVerbs {
  /**
   * Opens an attempt for a payment that its network is about to make, so that the request is not
   * paid or changed concurrently. A repeated announcement returns the same attempt. Throws 409 if
   * the request is not payable now, the account is not active, the connector is not available, or
   * the repeat differs. `requestIn` finds or creates the request in the same transaction.
   */
  announce(
    payment: NetworkPayment,
    accountId: string,
    requestIn: (tx: Transaction) => Promise<RequestRow>,
  ): Promise<NetworkAttempt>;
  /**
   * Records a network's payment in any state of the request, because the money arrived. `find`
   * identifies the request of an unannounced payment. Does not book a reversed payment. Throws 409
   * if a record of the payment is forged, or its connector is not configured.
   */
  confirm(
    payment: NetworkPayment & { paidAt: Temporal.Instant },
    find: () => Promise<RequestRow | null>,
  ): Promise<Confirmed>;
  /** Records a reversal, and closes the payment's attempt. Returns null if there is no attempt. */
  reverse(key: NetworkKey): Promise<NetworkAttempt | null>;
  isReversed(key: NetworkKey): Promise<boolean>;
  find(key: NetworkKey): Promise<NetworkAttempt | null>;
  /**
   * Closes the attempt of an announced payment that the service refused to the network after all.
   */
  drop(attempt: NetworkAttempt): Promise<void>;
}

export interface NetworkParts extends SettleParts {
  connected: Channels;
  limits: TryLimits;
}

const reportedDifferently = (trx: string) => refusal('charge.reported_differently', { trx });

const notOurs = (trx: string) => refusal('charge.forged', { trx });

function attemptOf(
  payment: NetworkPayment,
  { request, id, startedAt }: { request: RequestRow; id: number; startedAt: Temporal.Instant },
): AttemptRow {
  const { channel, connector, amount, actor, target } = payment;
  return {
    account_id: request.account_id,
    id,
    request_id: request.id,
    channel,
    connector,
    amount,
    started_at: startedAt,
    unheard_at: null,
    action_until: null,
    reference: null,
    details: { actor: actorText(actor), ...describe(channel, { type: 'wallet' }), asked: target },
  };
}

const named = ({ account_id, id, request_id }: AttemptRow): NetworkAttempt => ({
  accountId: account_id,
  attemptId: id,
  requestId: request_id,
});

function createLookups({ base, connected }: NetworkParts) {
  const { sql } = base;

  const attemptBy = async (key: NetworkKey) => {
    const known = await readNetwork(sql, key);
    if (known && (await isForgedPayment(base, key, known))) throw notOurs(key.trx);
    if (!known?.attempt) return { known, attempt: null };
    if (await isForgedAttempt(base, known.attempt)) throw notOurs(key.trx);
    return { known, attempt: await readAttempt(sql, known.attempt) };
  };

  const isReversed = async (key: NetworkKey): Promise<boolean> =>
    (await readNetwork(sql, key))?.reversed ?? false;

  const channelOf = ({ connector }: NetworkKey): Channel => {
    const channel = connected.named(connector);
    if (!channel) throw refusal('charge.not_connected', { connector });
    return channel;
  };

  return { attemptBy, isReversed, channelOf };
}

type Lookups = ReturnType<typeof createLookups>;

async function record(
  parts: NetworkParts,
  { isReversed, channelOf }: Lookups,
  payment: NetworkPayment & { paidAt: Temporal.Instant },
  attempt: AttemptRow,
): Promise<void> {
  const [request] = await readRequests(parts.base.sql, [
    { accountId: attempt.account_id, id: attempt.request_id },
  ]);
  if (!request) throw new Error(`attempt ${attempt.id} has no request`);
  const { amount, trx, paidAt } = payment;
  const { note } = parts.unwanted;
  const unwanted: SettleParts['unwanted'] = {
    ...parts.unwanted,
    // The reversal closed the attempt and returns the money, so do not return it twice.
    note: async (approval, why) =>
      (await isReversed(payment)) ? false : await note(approval, why),
  };
  await settle(
    { ...parts, unwanted },
    {
      attempt,
      request,
      channel: channelOf(payment),
      outcome: { outcome: 'approved', answer: { amount, reference: trx }, decidedAt: paidAt },
      isInquiry: false,
    },
  );
}

export function createNetworkVerbs(parts: NetworkParts): NetworkVerbs {
  const { base, connected, limits } = parts;
  const { sql, clocks, recordIds } = base;
  const lookups = createLookups(parts);
  const { attemptBy, isReversed, channelOf } = lookups;

  /**
   * Returns the attempt of an earlier announcement. Throws 409 if the announcements differ, or if
   * the payment has ended or is reversed.
   */
  const before = async (payment: NetworkPayment): Promise<NetworkAttempt> => {
    const { known, attempt } = await attemptBy(payment);
    const isSame =
      attempt?.open === true &&
      known?.reversed === false &&
      attempt.amount === payment.amount &&
      attempt.details.asked === payment.target;
    if (!isSame) throw reportedDifferently(payment.trx);
    return named(attempt);
  };

  /**
   * Opens the attempt of an unannounced payment. If no request matches, records the payment without
   * an attempt.
   */
  const begun = async (
    payment: NetworkPayment & { paidAt: Temporal.Instant },
    find: () => Promise<RequestRow | null>,
  ): Promise<void> => {
    const request = await find();
    const id = await recordIds.next();
    const askAt = firstAskAt(clocks.business.now(), channelOf(payment).answersWithinS);
    await sql.begin(async (tx) => {
      const key = request && { account_id: request.account_id, id };
      if (!(await claimNetwork(tx, payment, key)) || !request) return;
      const startedAt = payment.paidAt;
      await insertNetworkAttempt(tx, attemptOf(payment, { request, id, startedAt }), askAt);
    });
  };

  return {
    async announce(payment, accountId, requestIn) {
      const channel = connected.choose(payment.channel, { name: payment.connector });
      const { connector } = payment;
      if (!channel) throw refusal('charge.kind_unavailable', { connector });
      await refuseUnlessActive(sql, accountId);
      const id = await recordIds.next();
      const startedAt = clocks.business.now();
      const attempt = await sql.begin(async (tx) => {
        if (!(await claimNetwork(tx, payment, { account_id: accountId, id }))) return null;
        const request = await requestIn(tx);
        const row = attemptOf(payment, { request, id, startedAt });
        await startAttempt(tx, row, {
          today: clocks.business.today(),
          limits,
          askAt: firstAskAt(startedAt, channel.answersWithinS),
        });
        return row;
      });
      return attempt ? named(attempt) : await before(payment);
    },
    async confirm(payment, find) {
      if ((await readNetwork(sql, payment)) === null) await begun(payment, find);
      const { known, attempt } = await attemptBy(payment);
      const which = attempt && named(attempt);
      if (known?.reversed) return { outcome: 'reversed', attempt: which };
      if (!attempt || !which) return { outcome: 'nobodys' };
      await record(parts, lookups, payment, attempt);
      // A reversal that arrived in between found nothing to reverse yet.
      return { outcome: (await isReversed(payment)) ? 'reversed' : 'recorded', attempt: which };
    },
    async reverse(key) {
      await markReversed(sql, key, clocks.business.now());
      const { attempt } = await attemptBy(key);
      if (!attempt) return null;
      await closeAttempt(sql, attempt);
      return named(attempt);
    },
    isReversed,
    async find(key) {
      const { attempt } = await attemptBy(key);
      return attempt && named(attempt);
    },
    async drop({ accountId, attemptId }) {
      await closeAttempt(sql, { account_id: accountId, id: attemptId });
    },
  };
}
