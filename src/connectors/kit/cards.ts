import { type CardOutcome, keptSchema } from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import type { Listener } from './notices.ts';
import {
  type Answer,
  kitAccount,
  must,
  NotOffered,
  put,
  readerOf,
  type Session,
} from './session.ts';

const readCard = readerOf<CardOutcome>(keptSchema, 'The outcome of a card');

type CardCase = 'approved' | 'card_updated' | 'card_closed';

interface Keeping {
  card: string;
  order: Record<string, unknown>;
}

/** Returns the order to store a card of a test case. */
async function keeping(
  session: Session,
  name: CardCase | 'rejected_other_instrument' = 'approved',
): Promise<Keeping> {
  const { attempt: card, channel, instrument, ...charge } = await session.orderOf(name);
  const keeps = session.manifest.channels.some(
    (one) => one.channel === channel && one.keeps_cards === true,
  );
  if (!keeps) throw new NotOffered('The connector keeps no cards on file.');
  const { type: _, ...instrumentFields } = Object(instrument);
  const { business_time, account, deadline } = charge;
  const payer = { name: 'Ana Pérez', email: 'ana@example.com' };
  const on_file = { initiator: 'payer', reason: 'recurring' };
  const order = {
    card,
    business_time,
    channel,
    account,
    payer,
    on_file,
    deadline,
    ...instrumentFields,
  };
  return { card, order };
}

const keep = ({ call }: Session, { card, order }: Keeping): Promise<Answer> =>
  call('PUT', `/cards/${card}`, order);

async function storedCard(session: Session, name: CardCase = 'approved') {
  const made = await keeping(session, name);
  const outcome = readCard(await keep(session, made));
  must(outcome.outcome === 'kept', `The card was ${outcome.outcome}.`);
  return { ...made, outcome };
}

const forget = ({ call, nowMs }: Session, card: string, reference: string): Promise<Answer> =>
  call('POST', `/cards/${card}/forget`, {
    card,
    business_time: Temporal.Instant.fromEpochMilliseconds(nowMs()).toString(),
    account: kitAccount,
    reference,
  });

type StoredCardOutcome = Extract<CardOutcome, { outcome: 'kept' }>;

/**
 * Returns a debit of a card on file. `first` is the network's id of the payment at which the holder
 * consented.
 */
async function chargeOf(
  session: Session,
  { reference, brand, bin, last_four, ...card }: StoredCardOutcome,
  first = card.network_transaction_id,
) {
  const instrument = { type: 'kept_card', reference, brand, ...(bin && { bin }), last_four };
  const on_file = {
    initiator: 'merchant',
    reason: 'recurring',
    ...(first && { network_transaction_id: first }),
  };
  return await session.orderOf('approved', { instrument, on_file });
}

/** Stores a card that changes soon, and waits for the notice of the change. */
async function changed(session: Session, listener: Listener | null, name: CardCase) {
  if (!session.manifest.notices.includes('card.changed')) {
    throw new NotOffered('The manifest does not list the notice card.changed.');
  }
  if (!listener) throw new NotOffered('The kit needs --listen to receive notices.');
  const card = await storedCard(session, name);
  const isReported = await session.until(
    async () =>
      listener.notices.some((one) => one.type === 'card.changed' && one.card === card.card),
    (found) => found,
  );
  must(isReported, `The kit received no valid notice of it. ${listener.faults.join('; ')}`);
  return { card, now: readCard(await session.ask(`/cards/${card.card}`)) };
}

/** Checks that need a listening kit and a connector that reports changes. */
export const cardChangeChecks = (listener: Listener | null): readonly Check[] => [
  {
    guarantee: 'a notice reports a new card number, and charges use the card that GET returns',
    try: async (session) => {
      const { card, now } = await changed(session, listener, 'card_updated');
      must(now.outcome === 'kept', `It is ${now.outcome}.`);
      const { last_four: before } = card.outcome;
      must(now.last_four !== before, `Its last four digits are still ${before}.`);
      const first = now.network_transaction_id ?? card.outcome.network_transaction_id;
      const outcome = await put(session, await chargeOf(session, now, first));
      must(outcome.outcome === 'approved', `The outcome of its charge was ${outcome.outcome}.`);
      const again = readCard(await keep(session, card));
      must(again.outcome === 'kept', `The repeated call returned ${again.outcome}.`);
    },
  },
  {
    guarantee: 'a notice reports a closed card, which is no longer charged',
    try: async (session) => {
      const { card, now } = await changed(session, listener, 'card_closed');
      must(now.outcome === 'closed', `It is ${now.outcome}.`);
      const order = await chargeOf(session, card.outcome);
      const answer = await session.call('PUT', `/charges/${order.attempt}`, order);
      const approved = answer.status === 200 && Object(answer.body).outcome === 'approved';
      must(!approved, 'It was still charged.');
    },
  },
];

export const cardChecks: readonly Check[] = [
  {
    guarantee: 'repeated calls keep one card, and GET confirms it',
    try: async (session) => {
      const made = await keeping(session);
      const answers = await Promise.all(Array.from({ length: 5 }, () => keep(session, made)));
      const responses = [
        ...answers,
        await keep(session, made),
        await session.ask(`/cards/${made.card}`),
      ];
      const all = new Set(responses.map((answer) => JSON.stringify(readCard(answer))));
      must(all.size === 1, `There were ${all.size} different answers.`);
      must(readCard(responses[0] as Answer).outcome === 'kept', `It was ${[...all][0]}.`);
    },
  },
  {
    guarantee: 'a kept card can be charged repeatedly',
    try: async (session) => {
      const card = await storedCard(session);
      let first = card.outcome.network_transaction_id;
      for (const times of [1, 2]) {
        const outcome = await put(session, await chargeOf(session, card.outcome, first));
        must(outcome.outcome === 'approved', `Charge ${times} was ${outcome.outcome}.`);
        first ??= outcome.network_transaction_id;
      }
    },
  },
  {
    guarantee: 'a kept card has not expired',
    try: async (session) => {
      const { expires } = (await storedCard(session)).outcome;
      if (expires === undefined)
        throw new NotOffered('The connector does not report when a card expires.');
      const end = Temporal.PlainYearMonth.from(expires).add({ months: 1 }).toPlainDate({ day: 1 });
      const now = Temporal.Instant.fromEpochMilliseconds(session.nowMs());
      const today = now.toZonedDateTimeISO('UTC').toPlainDate();
      must(Temporal.PlainDate.compare(today, end) < 0, `It expired on ${expires}.`);
    },
  },
  {
    guarantee: 'another card with the same id gets 409',
    try: async (session) => {
      const made = await keeping(session);
      await keep(session, made);
      const other = { card: made.card, order: { ...made.order, token: 'tok_another' } };
      const { status } = await keep(session, other);
      must(status === 409, `The connector answered with status ${status}.`);
    },
  },
  {
    guarantee: 'a card that its issuer rejects is not kept',
    try: async (session) => {
      const outcome = readCard(
        await keep(session, await keeping(session, 'rejected_other_instrument')),
      );
      must(outcome.outcome === 'rejected', `It was ${outcome.outcome}.`);
    },
  },
  {
    guarantee: 'a forgotten card is no longer charged, and can be forgotten twice',
    try: async (session) => {
      const card = await storedCard(session);
      for (const times of [1, 2]) {
        const deletion = readCard(await forget(session, card.card, card.outcome.reference));
        must(deletion.outcome === 'forgotten', `Outcome of call ${times}: ${deletion.outcome}.`);
      }
      const order = await chargeOf(session, card.outcome);
      const answer = await session.call('PUT', `/charges/${order.attempt}`, order);
      const approved = answer.status === 200 && Object(answer.body).outcome === 'approved';
      must(!approved, 'It was still charged.');
    },
  },
  {
    guarantee: 'a card that was never sent is unheard',
    try: async (session) => {
      await keeping(session);
      const answer = await session.ask(`/cards/${session.newAttempt()}`);
      must(readCard(answer).outcome === 'unheard', `GET returned ${JSON.stringify(answer.body)}.`);
    },
  },
];
