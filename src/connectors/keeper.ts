import type { CardOutcome, ForgetOrder, KeepOrder } from '../../connectors/protocol/messages.ts';
import type { CardKeeper, CardToKeep, KeepOutcome } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import type { Caller, CallResult } from './call.ts';
import { cardOutcomeIn } from './check.ts';

export interface KeeperParts {
  base: Base;
  caller: Caller;
  /** Returns the longest time for an answer, in milliseconds. */
  timeoutMs(): number;
  settingsOf(accountId: string): Promise<Record<string, unknown>>;
  alarm(text: string): void;
}

const unknown: KeepOutcome = { outcome: 'unknown' };

const outcomeIn = (result: CallResult): CardOutcome | null =>
  result.kind === 'answer' && result.status === 200 ? cardOutcomeIn(result.body) : null;

const outcomeOf = (answered: CardOutcome, alarm: KeeperParts['alarm']): KeepOutcome => {
  if ('alarm' in answered && answered.alarm !== undefined) alarm(answered.alarm);
  switch (answered.outcome) {
    case 'kept': {
      const { reference, brand, kind = null, bin = null, last_four: lastFour } = answered;
      const { expires = null, network_transaction_id: networkTransactionId = null } = answered;
      const card = { reference, brand, kind, bin, lastFour, expires, networkTransactionId };
      return { outcome: 'kept', ...card };
    }
    case 'closed':
      return { outcome: 'closed', code: answered.code, text: answered.text };
    case 'rejected':
      return {
        outcome: 'rejected',
        code: answered.code,
        text: answered.text,
        retry: answered.retry,
      };
    case 'pending':
      return unknown;
    default:
      return { outcome: answered.outcome };
  }
};

/** Stores cards at a connector. Sends each once under its id, and inquires about it afterwards. */
export function createKeeper({
  base,
  caller,
  timeoutMs,
  settingsOf,
  alarm,
}: KeeperParts): CardKeeper {
  const { clocks } = base;
  const nowText = (): string => clocks.business.now().toString({ smallestUnit: 'millisecond' });

  const orderOf = async (card: CardToKeep, timeout: number): Promise<KeepOrder> => {
    const { accountId, cardId, channel, token, payer, reason } = card;
    const { brand, bin, lastFour, holderName } = token;
    return {
      card: cardId,
      business_time: nowText(),
      channel,
      account: { id: accountId, settings: await settingsOf(accountId) },
      payer: {
        ...(payer.name !== null && { name: payer.name.slice(0, 255) }),
        ...(payer.email !== null && { email: payer.email }),
        ...(payer.ip !== null && { ip: payer.ip.slice(0, 64) }),
        ...(payer.userAgent && { user_agent: payer.userAgent.slice(0, 512) }),
      },
      token: token.token,
      ...(brand !== null && { brand }),
      ...(bin !== null && { bin }),
      ...(lastFour !== null && { last_four: lastFour }),
      ...(holderName !== null && { holder_name: holderName }),
      on_file: { initiator: 'payer', reason },
      deadline: clocks.wall
        .now()
        .add({ milliseconds: timeout })
        .toString({ smallestUnit: 'millisecond' }),
    };
  };

  return {
    async keep(card) {
      const timeout = timeoutMs();
      const body = await orderOf(card, timeout);
      const path = `/cards/${card.cardId}`;
      const answer = await caller.call({ method: 'PUT', path, body, timeoutMs: timeout });
      const outcome = outcomeIn(answer);
      if (outcome) return outcomeOf(outcome, alarm);
      if (answer.kind === 'none' && !answer.sent) return { outcome: 'unheard' };
      if (answer.kind === 'answer' && answer.status === 422) {
        alarm('a card cannot be kept as it is');
        return {
          outcome: 'rejected',
          code: 'unfit',
          text: 'The card cannot be kept.',
          retry: 'never',
        };
      }
      alarm(
        `whether a card was kept is not known: ${answer.kind === 'none' ? answer.why : answer.status}`,
      );
      return unknown;
    },
    async find({ accountId, cardId }) {
      const settings = await settingsOf(accountId);
      const query = new URLSearchParams({
        account: accountId,
        business_time: nowText(),
        settings: Buffer.from(JSON.stringify(settings)).toString('base64url'),
      });
      const path = `/cards/${cardId}?${query}`;
      const outcome = outcomeIn(await caller.call({ method: 'GET', path, timeoutMs: timeoutMs() }));
      return outcome ? outcomeOf(outcome, alarm) : unknown;
    },
    async forget({ accountId, cardId, reference }) {
      const body: ForgetOrder = {
        card: cardId,
        business_time: nowText(),
        account: { id: accountId, settings: await settingsOf(accountId) },
        reference,
      };
      const path = `/cards/${cardId}/forget`;
      const answer = await caller.call({ method: 'POST', path, body, timeoutMs: timeoutMs() });
      return outcomeIn(answer)?.outcome === 'forgotten';
    },
  };
}
