import { cardNumbersIn } from './card-number.ts';
import { Changed, secondsLeft } from './charges.ts';
import {
  type Call,
  type Connector,
  type JournalEntry,
  NeverSent,
  type StoredCard,
  Unfit,
} from './connector.ts';
import { digestOf, type Journal } from './journal.ts';
import type { CardOutcome, ForgetOrder, KeepOrder } from './messages.ts';
import { createTurns } from './turns.ts';

export interface CardCalls {
  put: (order: KeepOrder) => Promise<CardOutcome>;
  get: (about: AboutCard) => Promise<CardOutcome>;
  forget: (order: ForgetOrder) => Promise<CardOutcome>;
}

interface AboutCard {
  card: string;
  account: KeepOrder['account'];
  businessTime: string;
}

/** Pause before the next inquiry about a card that cannot be found yet. */
const askAgainSeconds = 60;

/** Outcomes of a stored card, which may change later. */
type OnFile = Extract<CardOutcome, { outcome: 'kept' | 'closed' }>;
const isOnFile = (told: CardOutcome): told is OnFile =>
  told.outcome === 'kept' || told.outcome === 'closed';

/**
 * Digests what a repeated order must share with the first: everything except times, IP address and
 * user agent.
 */
function meaningOf({ business_time: _, deadline: __, payer, ...order }: KeepOrder): string {
  const { ip: _ip, user_agent: _agent, ...person } = payer;
  return digestOf({ ...order, payer: person });
}

/** Cards on file, each stored once: the order is on disk before the acquirer is called. */
export function createCards(
  connector: Connector,
  journal: Journal<StoredCard, CardOutcome>,
  now: () => number,
): CardCalls {
  const inTurn = createTurns();
  const { cards, manifest } = connector;
  const keeps = manifest.channels.filter((one) => one.keeps_cards === true);
  const call = (card: string): Call => ({
    signal: AbortSignal.timeout(1000 * Math.max(60, ...keeps.map((one) => one.answers_within_s))),
    remember: (memo: unknown) => journal.remember(card, memo),
  });

  const answer = async (card: string, outcome: CardOutcome): Promise<CardOutcome> => {
    await journal.answer(card, outcome);
    return outcome;
  };

  /** Reads a card's current state, if the acquirer reports changes. */
  async function lookAgain(
    about: AboutCard,
    known: JournalEntry<StoredCard, CardOutcome>,
    told: OnFile,
  ): Promise<CardOutcome> {
    if (!cards || !manifest.notices.includes('card.changed')) return told;
    const found = await cards.find({ ...about, known }, call(about.card));
    // An acquirer that no longer shows a card does not revoke its earlier answer.
    return found && isOnFile(found) ? await answer(about.card, found) : told;
  }

  async function inquire({ card, account, businessTime }: AboutCard): Promise<CardOutcome> {
    const known = journal.read(card);
    if (!known || !cards) return { outcome: 'unheard' };
    const knownOutcome = known.outcome;
    if (knownOutcome && isOnFile(knownOutcome)) {
      return await lookAgain({ card, account, businessTime }, known, knownOutcome);
    }
    if (knownOutcome && knownOutcome.outcome !== 'pending') return knownOutcome;
    const found = await cards.find({ card, account, businessTime, known }, call(card));
    if (found) return await answer(card, found);
    const settles = Math.max(...keeps.map((one) => one.settles_within_s));
    const left = secondsLeft(known.begunAt, businessTime, settles);
    if (left <= 0) return await answer(card, { outcome: 'unheard' });
    return { outcome: 'pending', ask_after_s: Math.min(left, askAgainSeconds) };
  }

  async function send(order: KeepOrder, keep: NonNullable<Connector['cards']>['keep']) {
    const { card } = order;
    try {
      return await answer(card, await keep(order, call(card)));
    } catch (error) {
      if (error instanceof NeverSent) {
        const { alarm } = error;
        return await answer(card, { outcome: 'unheard', ...(alarm && { alarm }) });
      }
      if (!(error instanceof Unfit)) throw error;
      const text = error.message.slice(0, 255);
      return await answer(card, { outcome: 'rejected', code: 'unfit', text, retry: 'never' });
    }
  }

  async function keepOnce(order: KeepOrder): Promise<CardOutcome> {
    const { card, account, channel, business_time: businessTime } = order;
    if (!cards || !keeps.some((one) => one.channel === channel)) {
      throw new Unfit(`This connector does not store cards of ${channel}.`);
    }
    if (cardNumbersIn(order.token).length > 0) {
      throw new Unfit('The token looks like a card number, so it was not sent anywhere.');
    }
    const digest = meaningOf(order);
    const before = await journal.begin(card, { digest, begunAt: businessTime, kept: { channel } });
    if (before && before.digest !== digest) {
      throw new Changed(`The card ${card} was sent before with another content.`);
    }
    if (before?.outcome?.outcome === 'kept') return before.outcome;
    if (before) return await inquire({ card, account, businessTime });
    if (now() > Date.parse(order.deadline)) {
      const alarm = 'A card came after its deadline: are the clocks of both machines right?';
      return await answer(card, { outcome: 'unheard', alarm });
    }
    return await send(order, cards.keep);
  }

  async function forgetOnce(order: ForgetOrder): Promise<CardOutcome> {
    if (!cards) throw new Unfit('This connector does not store cards.');
    const known = journal.read(order.card);
    if (known?.outcome?.outcome === 'forgotten') return known.outcome;
    await cards.forget(order, call(order.card));
    const outcome: CardOutcome = { outcome: 'forgotten' };
    return known ? await answer(order.card, outcome) : outcome;
  }

  return {
    put: (order) => inTurn(order.card, () => keepOnce(order)),
    get: (about) => inTurn(about.card, () => inquire(about)),
    forget: (order) => inTurn(order.card, () => forgetOnce(order)),
  };
}
