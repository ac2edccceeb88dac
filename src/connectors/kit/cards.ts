import { type CardOutcome, keptSchema } from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import {
  type Answer,
  kitAccount,
  must,
  NotOffered,
  put,
  readerOf,
  type Session,
} from './session.ts';

const readCard = readerOf<CardOutcome>(keptSchema, 'What became of a card');

interface Keeping {
  card: string;
  order: Record<string, unknown>;
}

/** A card that is to be kept, of the case `approved` or another one. */
async function keeping(
  session: Session,
  name: 'approved' | 'rejected_other_instrument' = 'approved',
): Promise<Keeping> {
  const { attempt: card, channel, instrument, ...charge } = await session.orderOf(name);
  const keeps = session.manifest.channels.some(
    (one) => one.channel === channel && one.keeps_cards === true,
  );
  if (!keeps) throw new NotOffered('It keeps no cards on file.');
  const { type: _, ...told } = Object(instrument);
  const { business_time, account, deadline } = charge;
  const payer = { name: 'Ana Pérez', email: 'ana@example.com' };
  return { card, order: { card, business_time, channel, account, payer, deadline, ...told } };
}

const keep = ({ call }: Session, { card, order }: Keeping): Promise<Answer> =>
  call('PUT', `/cards/${card}`, order);

async function kept(session: Session) {
  const made = await keeping(session);
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

const chargeOf = async (session: Session, card: Awaited<ReturnType<typeof kept>>) => {
  const { reference, brand, bin, last_four } = card.outcome;
  const instrument = { type: 'kept_card', reference, brand, ...(bin && { bin }), last_four };
  return await session.orderOf('approved', { instrument });
};

export const cardChecks: readonly Check[] = [
  {
    guarantee: 'a card is kept once, however often it is sent, and GET says so',
    try: async (session) => {
      const made = await keeping(session);
      const answers = await Promise.all(Array.from({ length: 5 }, () => keep(session, made)));
      const told = [
        ...answers,
        await keep(session, made),
        await session.ask(`/cards/${made.card}`),
      ];
      const all = new Set(told.map((answer) => JSON.stringify(readCard(answer))));
      must(all.size === 1, `It was told in ${all.size} ways.`);
      must(readCard(told[0] as Answer).outcome === 'kept', `It was ${[...all][0]}.`);
    },
  },
  {
    guarantee: 'a kept card is charged again and again',
    try: async (session) => {
      const card = await kept(session);
      for (const times of [1, 2]) {
        const outcome = await put(session, await chargeOf(session, card));
        must(outcome.outcome === 'approved', `Charge ${times} was ${outcome.outcome}.`);
      }
    },
  },
  {
    guarantee: 'another card under the same id is answered with 409',
    try: async (session) => {
      const made = await keeping(session);
      await keep(session, made);
      const other = { card: made.card, order: { ...made.order, token: 'tok_another' } };
      const { status } = await keep(session, other);
      must(status === 409, `It was answered with status ${status}.`);
    },
  },
  {
    guarantee: 'a card that its issuer refuses is not kept',
    try: async (session) => {
      const outcome = readCard(
        await keep(session, await keeping(session, 'rejected_other_instrument')),
      );
      must(outcome.outcome === 'rejected', `It was ${outcome.outcome}.`);
    },
  },
  {
    guarantee: 'a card that is forgotten is charged no more, and may be forgotten twice',
    try: async (session) => {
      const card = await kept(session);
      for (const times of [1, 2]) {
        const told = readCard(await forget(session, card.card, card.outcome.reference));
        must(told.outcome === 'forgotten', `Time ${times} it was ${told.outcome}.`);
      }
      const order = await chargeOf(session, card);
      const answer = await session.call('PUT', `/charges/${order.attempt}`, order);
      const approved = answer.status === 200 && Object(answer.body).outcome === 'approved';
      must(!approved, 'It was charged all the same.');
    },
  },
  {
    guarantee: 'a card that was never sent is unheard',
    try: async (session) => {
      await keeping(session);
      const answer = await session.ask(`/cards/${session.newAttempt()}`);
      must(readCard(answer).outcome === 'unheard', `GET says ${JSON.stringify(answer.body)}.`);
    },
  },
];
