import { type About, Changed, secondsLeft } from './charges.ts';
import {
  type Connector,
  type KnownRefund,
  NeverSent,
  type StoredRefund,
  Unfit,
} from './connector.ts';
import { digestOf, type Entry, type Journal } from './journal.ts';
import type { ConnectorChannel, RefundOrder, RefundOutcome } from './messages.ts';
import { createTurns } from './turns.ts';

export interface RefundCalls {
  put: (order: RefundOrder) => Promise<RefundOutcome>;
  get: (about: About & { refund: string }) => Promise<RefundOutcome>;
}

type RefundEntry = Entry<StoredRefund, RefundOutcome>;

const keyOf = (attempt: string, refund: string): string => `${attempt}/${refund}`;

const isLast = (outcome: RefundOutcome): boolean =>
  outcome.outcome === 'done' || outcome.outcome === 'failed';

/** Digests what a repeated order must share with the first. */
export const refundMeaning = ({
  attempt,
  refund,
  reference,
  amount,
  currency,
}: RefundOrder): string => digestOf({ attempt, refund, reference, amount, currency });

const keptOf = ({ reference, charged, refunded_before, amount }: RefundOrder): StoredRefund => ({
  reference,
  charged,
  refunded_before,
  amount,
});

/**
 * Returns `failed` for a refund that can never succeed, if known without asking the acquirer; else
 * null.
 */
function impossible(
  { amount, charged }: RefundOrder,
  sum: number,
  channel: ConnectorChannel | null,
  ways: readonly string[] | undefined,
): RefundOutcome | null {
  const failed = (code: string, text: string): RefundOutcome => ({
    outcome: 'failed',
    code,
    text,
  });
  if (sum + amount > charged) {
    return failed('over_the_sum', `Of ${charged} centavos ${sum} went back before.`);
  }
  if (ways && !ways.includes(amount === charged ? 'whole' : 'part')) {
    return failed(
      'not_offered',
      `By ${channel} can be given back: ${ways.join(', ') || 'nothing'}.`,
    );
  }
  return null;
}

/**
 * Refunds, each executed once. Refunds of one charge run one after another, so that each knows the
 * sum of those before.
 */
export function createRefunds(
  connector: Connector,
  journal: Journal<StoredRefund, RefundOutcome>,
  channelOf: (attempt: string) => ConnectorChannel | null,
): RefundCalls {
  const inTurn = createTurns();
  const { channels } = connector.manifest;
  const longest = (of: 'answers_within_s' | 'settles_within_s'): number =>
    Math.max(...channels.map((one) => one[of]));
  const call = (key: string) => ({
    signal: AbortSignal.timeout(1000 * longest('answers_within_s')),
    remember: (memo: unknown) => journal.remember(key, memo),
  });

  const doneBut = (attempt: string, refund: string): number =>
    journal
      .below(`${attempt}/`)
      .filter(([key, { outcome }]) => key !== keyOf(attempt, refund) && outcome?.outcome === 'done')
      .reduce((sum, [, { kept }]) => sum + kept.amount, 0);

  /** Returns the amount refunded before: the larger of the service's and the journal's figure. */
  const before = (attempt: string, refund: string, told: number): number =>
    Math.max(told, doneBut(attempt, refund));

  async function state(
    { attempt, refund, account, businessTime }: About & { refund: string },
    known: KnownRefund,
  ): Promise<RefundOutcome> {
    if (known.outcome && isLast(known.outcome)) return known.outcome;
    const key = keyOf(attempt, refund);
    const sum = before(attempt, refund, known.kept.refunded_before);
    const inquiry = { attempt, refund, account, businessTime, known };
    const found = (await connector.refundState?.(inquiry, sum, call(key))) ?? null;
    if (found) {
      await journal.answer(key, found);
      return found;
    }
    if (known.outcome?.outcome === 'unheard') return known.outcome;
    const settles =
      known.outcome?.outcome === 'pending'
        ? known.outcome.ask_after_s
        : longest('settles_within_s');
    const left = secondsLeft(known.begunAt, businessTime, settles);
    return left > 0 ? { outcome: 'pending', ask_after_s: left } : { outcome: 'unheard' };
  }

  async function answerOf(order: RefundOrder): Promise<RefundOutcome> {
    if (!connector.refund) throw new Unfit('Charges of this connector cannot be refunded.');
    const sum = before(order.attempt, order.refund, order.refunded_before);
    const channel = channelOf(order.attempt);
    const ways = channels.find((one) => one.channel === channel)?.refunds;
    const not = impossible(order, sum, channel, ways);
    if (not) return not;
    try {
      return await connector.refund(order, sum, call(keyOf(order.attempt, order.refund)));
    } catch (error) {
      if (!(error instanceof NeverSent)) throw error;
      return { outcome: 'unheard', ...(error.alarm && { alarm: error.alarm }) };
    }
  }

  async function send(order: RefundOrder, key: string): Promise<RefundOutcome> {
    const outcome = await answerOf(order);
    await journal.answer(key, outcome);
    return outcome;
  }

  /**
   * Handles a repeated order: queries first, and resends only if the order counts as never
   * received.
   */
  async function again(order: RefundOrder, known: RefundEntry): Promise<RefundOutcome> {
    const { attempt, refund, account, business_time: businessTime } = order;
    const found = await state({ attempt, refund, account, businessTime }, known);
    if (found.outcome !== 'unheard') return found;
    await journal.renew(keyOf(attempt, refund), { begunAt: businessTime, kept: keptOf(order) });
    return await send(order, keyOf(attempt, refund));
  }

  return {
    put: (order) =>
      inTurn(order.attempt, async () => {
        const { attempt, refund } = order;
        const key = keyOf(attempt, refund);
        const digest = refundMeaning(order);
        const kept = keptOf(order);
        const begunAt = order.business_time;
        const known = await journal.begin(key, { digest, begunAt, kept });
        if (known && known.digest !== digest) {
          throw new Changed(`The refund ${refund} was ordered before with another content.`);
        }
        if (known) return await again(order, known);
        return await send(order, key);
      }),
    get: (about) =>
      inTurn(about.attempt, async () => {
        const known = journal.read(keyOf(about.attempt, about.refund));
        return known ? await state(about, known) : { outcome: 'unheard' };
      }),
  };
}
