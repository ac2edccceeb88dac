import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import type { Base } from '../platform/base.ts';

export type CardSeen = (accountId: string, member: string) => Promise<void>;

/**
 * Raises an alarm, at most one per account and day, when an account stores possible card numbers
 * where any digits are allowed. Never rejects, because the call that stored them has succeeded.
 */
export const cardSeenBy =
  (base: Base): CardSeen =>
  async (accountId, member) => {
    const message = `${member} of a call of account ${accountId} has digits that pass for a card number.`;
    try {
      await raiseMoneyAlarm(base, {
        kind: 'card_number',
        fact: `${accountId} ${base.clocks.business.today()}`,
        message,
        accountId,
      });
    } catch (error) {
      base.log.error({ err: error }, message);
    }
  };
