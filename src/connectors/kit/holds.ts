import type { Outcome, TestCaseName } from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import { type Restart, restarted } from './restarts.ts';
import {
  type Answer,
  chargeAt,
  kitAccount,
  must,
  NotOffered,
  type Order,
  put,
  readOutcome,
  readRefund,
  type Session,
  settled,
} from './session.ts';

type End = 'capture' | 'void';

interface Hold {
  order: Order;
  reference: string;
}

const quoted = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 300);

const isoNow = ({ nowMs }: Session): string =>
  Temporal.Instant.fromEpochMilliseconds(nowMs()).toString();

/** Authorizes a charge with the instrument of a test case. */
async function authorizedCharge(session: Session, name: TestCaseName = 'approved'): Promise<Hold> {
  const { channels, test } = session.manifest;
  const channel = test?.[name]?.channel;
  if (!channels.some((one) => one.captures === true && one.channel === channel)) {
    throw new NotOffered(`No channel of the case ${name} captures charges.`);
  }
  const order = await session.orderOf(name, { authorize_only: true });
  const outcome = await put(session, order);
  must(outcome.outcome === 'authorized', `The answer was ${quoted(outcome)}.`);
  return { order, reference: outcome.reference };
}

const end = (
  session: Session,
  { order, reference }: Hold,
  how: End,
  amount = order.amount,
): Promise<Answer> =>
  session.call('PUT', `${chargeAt(order)}/${how}`, {
    attempt: order.attempt,
    business_time: isoNow(session),
    account: kitAccount,
    reference,
    amount,
    currency: 'ARS',
  });

const ended = async (session: Session, hold: Hold, how: End): Promise<Outcome> =>
  readOutcome(await end(session, hold, how));

/** Checks that the acquirer's list contains the charge once if it was captured, else not at all. */
async function isTaken(session: Session, { order }: Hold, taken: boolean): Promise<void> {
  const listed = (await session.listed(order.attempt)).filter((one) => one.outcome === 'approved');
  must(listed.length === (taken ? 1 : 0), `The list has ${listed.length} approvals of it.`);
  must(!taken || listed[0]?.amount === order.amount, `The list has ${quoted(listed[0])}.`);
}

/** Waits until GET returns the expected outcome, because a lost order may take effect late. */
const saysIn = async (session: Session, { order }: Hold, expected: string): Promise<void> => {
  const inquiry = await session.until(
    () => settled(session, order),
    ({ outcome }) => outcome === expected,
  );
  must(inquiry.outcome === expected, `GET returned ${quoted(inquiry)}.`);
};

/** Outcome of a charge after each end. */
const leaves = { capture: 'approved', void: 'canceled' } as const;

const isRefused = ({ status, body }: Answer): void =>
  must(status === 409, `The connector answered with status ${status}: ${quoted(body)}.`);

const endsOnce = (how: End): Check => ({
  guarantee: `a ${how} sent twice, and five times at once, happens once with one answer`,
  try: async (session) => {
    const hold = await authorizedCharge(session);
    const first = await ended(session, hold, how);
    must(first.outcome === leaves[how], `The answer was ${quoted(first)}.`);
    const amount = first.outcome === 'approved' ? first.amount : hold.order.amount;
    must(amount === hold.order.amount, `${amount} centavos were captured.`);
    const again = Array.from({ length: 5 }, () => ended(session, hold, how));
    for (const one of await Promise.all(again)) {
      must(one.outcome === first.outcome, `The repeated call returned ${quoted(one)}.`);
    }
    await saysIn(session, hold, leaves[how]);
    await isTaken(session, hold, how === 'capture');
  },
});

const firstStands = (first: End, second: End): Check => ({
  guarantee: `a ${second} after a ${first} gets 409, and the ${first} stays`,
  try: async (session) => {
    const hold = await authorizedCharge(session);
    await ended(session, hold, first);
    isRefused(await end(session, hold, second));
    await saysIn(session, hold, leaves[first]);
    await isTaken(session, hold, first === 'capture');
  },
});

const lost = (how: End): Check => ({
  guarantee: `a ${how} without an answer from the acquirer is unknown, and GET returns its outcome`,
  try: async (session) => {
    const hold = await authorizedCharge(session, `${how}_lost`);
    const answer = await end(session, hold, how);
    const outcome = answer.status === 200 ? readOutcome(answer).outcome : 'unknown';
    const isTrue = ['unknown', 'pending', 'authorized', leaves[how]].includes(outcome);
    must(isTrue, `The answer was ${quoted(answer.body)}.`);
    await saysIn(session, hold, leaves[how]);
    const again = await ended(session, hold, how);
    must(again.outcome === leaves[how], `The repeated call returned ${quoted(again)}.`);
    await isTaken(session, hold, how === 'capture');
  },
});

const authorizations: readonly Check[] = [
  {
    guarantee: 'an authorized charge takes no money, as GET and the list show',
    try: async (session) => {
      const hold = await authorizedCharge(session);
      const again = await put(session, hold.order);
      must(again.outcome === 'authorized', `The repeated call returned ${quoted(again)}.`);
      must(
        again.reference === hold.reference,
        `The repeated call returned the reference ${again.reference}.`,
      );
      must(again.amount === hold.order.amount, `${again.amount} centavos are held.`);
      const isOver = Date.parse(again.expires_at) <= session.nowMs();
      must(!isOver, `It expired on ${again.expires_at}.`);
      await saysIn(session, hold, 'authorized');
      await isTaken(session, hold, false);
    },
  },
  {
    guarantee: 'a charge that would be rejected is also rejected when it is only authorized',
    try: async (session) => {
      const hold = await authorizedCharge(session);
      await ended(session, hold, 'void');
      const order = await session.orderOf('rejected_other_instrument', { authorize_only: true });
      const outcome = await put(session, order);
      must(outcome.outcome === 'rejected', `The answer was ${quoted(outcome)}.`);
    },
  },
];

const captures: readonly Check[] = [
  {
    guarantee: 'a capture of another amount with the same attempt gets 409',
    try: async (session) => {
      const hold = await authorizedCharge(session);
      await ended(session, hold, 'capture');
      isRefused(await end(session, hold, 'capture', hold.order.amount - 100));
      await isTaken(session, hold, true);
    },
  },
  {
    guarantee: 'a capture that the acquirer rejects takes no money, as GET shows',
    try: async (session) => {
      const hold = await authorizedCharge(session, 'capture_refused');
      const outcome = await ended(session, hold, 'capture');
      must(outcome.outcome === 'rejected', `The answer was ${quoted(outcome)}.`);
      await saysIn(session, hold, 'rejected');
      await isTaken(session, hold, false);
    },
  },
  {
    guarantee: 'a captured charge can be refunded like any other',
    try: async (session) => {
      const hold = await authorizedCharge(session);
      const taken = await ended(session, hold, 'capture');
      must(taken.outcome === 'approved', `The answer was ${quoted(taken)}.`);
      const { attempt, amount, channel } = hold.order;
      const offered = session.manifest.channels.find((one) => one.channel === channel);
      if (!offered?.refunds.includes('whole'))
        throw new NotOffered('The channel has no full refunds.');
      const refund = `1${attempt.slice(attempt.indexOf('-') + 1).slice(-14)}8`;
      const answer = await session.call('PUT', `${chargeAt(hold.order)}/refunds/${refund}`, {
        ...{ attempt, refund, business_time: isoNow(session), account: kitAccount },
        ...{ reference: taken.reference, charged: amount, refunded_before: 0, amount },
        currency: 'ARS',
      });
      const { outcome } = readRefund(answer);
      must(outcome === 'done' || outcome === 'pending', `The answer was ${quoted(answer.body)}.`);
    },
  },
];

export const holdChecks = (restart: Restart | null): readonly Check[] => [
  ...authorizations,
  endsOnce('capture'),
  endsOnce('void'),
  firstStands('capture', 'void'),
  firstStands('void', 'capture'),
  ...captures,
  lost('capture'),
  lost('void'),
  {
    guarantee: 'a charge authorized before a restart is captured once after it',
    try: async (session) => {
      const hold = await authorizedCharge(session);
      await restarted(session, restart);
      const outcome = await ended(session, hold, 'capture');
      must(outcome.outcome === 'approved', `The answer was ${quoted(outcome)}.`);
      await restarted(session, restart);
      isRefused(await end(session, hold, 'void'));
      const again = await ended(session, hold, 'capture');
      must(again.outcome === 'approved', `After the restart, the answer was ${quoted(again)}.`);
      await isTaken(session, hold, true);
    },
  },
];
