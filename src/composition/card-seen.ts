import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import type { Base } from '../platform/base.ts';

export type CardSeen = (accountId: string, member: string) => Promise<void>;

/**
 * Raises an alarm, one an account and day, that an account keeps what passes for card numbers where
 * any digits are allowed. Never rejects: the call that kept them is done.
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
