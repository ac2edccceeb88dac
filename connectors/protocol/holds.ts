import { Changed, type ChargeCalls, secondsLeft } from './charges.ts';
import { type Connector, NeverSent, type StoredHold, Unfit } from './connector.ts';
import { digestOf, type Journal } from './journal.ts';
import type { HoldOrder, Outcome } from './messages.ts';
import { createTurns } from './turns.ts';

export interface HoldCalls {
  capture: (order: HoldOrder) => Promise<Outcome>;
  void: (order: HoldOrder) => Promise<Outcome>;
}

/** Retry delay of the service after an order that was not sent. */
const askAgainSeconds = 60;

/** True if the hold still exists: the same order may be sent again. */
const isOpen = ({ outcome }: Outcome): boolean => outcome === 'authorized';

/**
 * Captures and voids of authorized charges. A charge has only one of them: the first order is on
 * disk before the acquirer is called, and the opposite order is refused.
 */
export function createHolds(
  connector: Connector,
  journal: Journal<StoredHold, Outcome>,
  charges: Pick<ChargeCalls, 'known' | 'shown' | 'ended'>,
): HoldCalls {
  const inTurn = createTurns();
  const { channels } = connector.manifest;
  const longest = Math.max(...channels.map((one) => one.answers_within_s));
  const settles = Math.max(...channels.map((one) => one.settles_within_s));

  async function send(order: HoldOrder, end: StoredHold['end']): Promise<Outcome> {
    const { attempt } = order;
    const { holds } = connector;
    if (!holds) throw new Unfit('This connector does not support authorizations.');
    try {
      const outcome = await holds[end](order, charges.known(attempt), {
        signal: AbortSignal.timeout(1000 * longest),
        remember: (memo: unknown) => journal.remember(attempt, memo),
      });
      await journal.answer(attempt, outcome);
      await charges.ended(attempt, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof NeverSent)) throw error;
      const { alarm } = error;
      return { outcome: 'pending', ask_after_s: askAgainSeconds, ...(alarm && { alarm }) };
    }
  }

  const ordered = (end: StoredHold['end']) => (order: HoldOrder) =>
    inTurn(order.attempt, async (): Promise<Outcome> => {
      const { attempt, reference, amount, currency, account, business_time } = order;
      const digest = digestOf({ end, attempt, reference, amount, currency, account: account.id });
      const kept = { end, amount };
      const before = await journal.begin(attempt, { digest, begunAt: business_time, kept });
      if (before && before.digest !== digest) {
        const { end: first } = before.kept;
        throw new Changed(`A ${first} of the charge ${attempt} was ordered before, otherwise.`);
      }
      const known = charges.known(attempt);
      const ended = known?.outcome && !isOpen(known.outcome) ? known.outcome : null;
      if (!before && known && !ended) return await send(order, end);
      // It may have been sent before, so query the acquirer and repeat only if the hold still
      // exists.
      const shown = await charges.shown({ attempt, account, businessTime: business_time });
      const found = shown ?? ended;
      if (found) return isOpen(found) ? await send(order, end) : found;
      // The acquirer may lag, and would refuse a duplicate of an order that it executed.
      const left = secondsLeft(before?.begunAt ?? business_time, business_time, settles);
      if (left <= 0) return await send(order, end);
      return { outcome: 'pending', ask_after_s: Math.min(left, askAgainSeconds) };
    });

  return { capture: ordered('capture'), void: ordered('void') };
}
