import type { Check } from './check.ts';
import {
  type Answer,
  chargeAt,
  kitAccount,
  must,
  NotOffered,
  type Order,
  put,
  readRefund,
  type Session,
} from './session.ts';

interface Charged {
  order: Order;
  reference: string;
}

const offers = ({ manifest }: Session, { channel }: Order, way: 'whole' | 'part'): boolean =>
  manifest.channels.some((one) => one.channel === channel && one.refunds.includes(way));

async function charged(session: Session, way: 'whole' | 'part'): Promise<Charged> {
  const order = await session.orderOf('approved');
  if (!offers(session, order, way))
    throw new NotOffered(`The channel has no ${way === 'whole' ? 'full' : 'partial'} refunds.`);
  const outcome = await put(session, order);
  must(outcome.outcome === 'approved', `The charge was ${outcome.outcome}.`);
  return { order, reference: outcome.reference };
}

/** Returns a unique refund number like those of the service. */
const numberOf = ({ attempt }: Order, nth: number): string =>
  `1${attempt.slice(attempt.indexOf('-') + 1).slice(-14)}${nth}`;

/** Sends the nth refund of a charge. `before` is the sum of earlier ones. */
const give = (
  { call, nowMs }: Session,
  { order, reference }: Charged,
  nth: number,
  amount: number,
  before = 0,
): Promise<Answer> =>
  call('PUT', `${chargeAt(order)}/refunds/${numberOf(order, nth)}`, {
    attempt: order.attempt,
    refund: numberOf(order, nth),
    business_time: Temporal.Instant.fromEpochMilliseconds(nowMs()).toString(),
    account: kitAccount,
    reference,
    charged: order.amount,
    refunded_before: before,
    amount,
    currency: 'ARS',
  });

/** Returns true if the refund is done. Skips the check if the acquirer refunds later. */
function isDone(answer: Answer): boolean {
  const { outcome } = readRefund(answer);
  if (outcome === 'pending') throw new NotOffered('The acquirer refunds later, not immediately.');
  return outcome === 'done';
}

async function wentBack(session: Session, { order }: Charged, sum: number): Promise<void> {
  const listed = await session.listed(order.attempt);
  must(listed.length === 1, `The list has the charge ${listed.length} times.`);
  must(listed[0]?.refunded === sum, `The list has ${listed[0]?.refunded} refunded, not ${sum}.`);
}

export const refundChecks: readonly Check[] = [
  {
    guarantee: 'a full refund is done, as GET shows',
    try: async (session) => {
      const paid = await charged(session, 'whole');
      must(isDone(await give(session, paid, 1, paid.order.amount)), 'It was not done.');
      const state = await session.ask(`${chargeAt(paid.order)}/refunds/${numberOf(paid.order, 1)}`);
      must(readRefund(state).outcome === 'done', `GET returned ${JSON.stringify(state.body)}.`);
      await wentBack(session, paid, paid.order.amount);
    },
  },
  {
    guarantee: 'partial refunds add up, and never exceed the charge',
    try: async (session) => {
      const paid = await charged(session, 'part');
      const part = Math.floor(paid.order.amount / 3);
      must(isDone(await give(session, paid, 1, part)), 'The first was not done.');
      must(isDone(await give(session, paid, 2, part, part)), 'The second was not done.');
      const rest = paid.order.amount - 2 * part;
      const over = await give(session, paid, 3, rest + 1, 2 * part);
      const refused = over.status === 422 || readRefund(over).outcome === 'failed';
      must(refused, `The answer to one centavo too much was ${JSON.stringify(over.body)}.`);
      await wentBack(session, paid, 2 * part);
    },
  },
  {
    guarantee: 'the same refund sent twice, and five times at once, is done once',
    try: async (session) => {
      const paid = await charged(session, 'part');
      const part = Math.floor(paid.order.amount / 7);
      must(isDone(await give(session, paid, 1, part)), 'It was not done.');
      const again = Array.from({ length: 5 }, () => give(session, paid, 1, part));
      for (const answer of await Promise.all(again))
        must(isDone(answer), 'The repeated call was not done.');
      await wentBack(session, paid, part);
    },
  },
  {
    guarantee: 'a refund with the same id and another body gets 409',
    try: async (session) => {
      const paid = await charged(session, 'part');
      const part = Math.floor(paid.order.amount / 3);
      must(isDone(await give(session, paid, 1, part)), 'It was not done.');
      const { status } = await give(session, paid, 1, part + 1);
      must(status === 409, `The connector answered with status ${status}.`);
      await wentBack(session, paid, part);
    },
  },
  {
    guarantee: 'a refund that was never sent is unheard',
    try: async (session) => {
      const paid = await charged(session, 'whole');
      const state = await session.ask(`${chargeAt(paid.order)}/refunds/${numberOf(paid.order, 9)}`);
      const isUnknown = state.status === 404 || readRefund(state).outcome === 'unheard';
      must(isUnknown, `GET returned ${JSON.stringify(state.body)}.`);
    },
  },
  {
    guarantee: 'a rejected charge cannot be refunded',
    try: async (session) => {
      const order = await session.orderOf('rejected_other_instrument');
      if (!offers(session, order, 'whole'))
        throw new NotOffered('The channel has no full refunds.');
      await put(session, order);
      const answer = await give(session, { order, reference: '1' }, 1, order.amount);
      const done = answer.status === 200 && readRefund(answer).outcome === 'done';
      must(!done, 'It was done.');
    },
  },
  {
    guarantee: 'an instrument without partial refunds rejects one',
    try: async (session) => {
      const order = await session.orderOf('whole_refunds_only');
      const outcome = await put(session, order);
      must(outcome.outcome === 'approved', `The charge was ${outcome.outcome}.`);
      const paid = { order, reference: outcome.reference };
      const answer = await give(session, paid, 1, Math.floor(order.amount / 3));
      must(
        readRefund(answer).outcome === 'failed',
        `The answer was ${JSON.stringify(answer.body)}.`,
      );
      await wentBack(session, paid, 0);
    },
  },
];
