import { cardNumbersIn } from '../../../connectors/protocol/card-number.ts';
import type { Check } from './check.ts';
import {
  chargeAt,
  decoded,
  must,
  NotOffered,
  nameOf,
  put,
  type Session,
  settled,
} from './session.ts';

/** A public test card in place of a token. Connectors must not accept, store or echo it. */
const cardNumber = ['4507', '9900', '0000', '4905'].join('');

/** Orders with a single fault, which must have no effect. */
const faulty: readonly { what: string; change: Record<string, unknown> }[] = [
  { what: 'a negative amount', change: { amount: -1 } },
  { what: 'a fraction of a centavo', change: { amount: 1.5 } },
  { what: 'an amount as a string', change: { amount: '150075' } },
  { what: 'another currency', change: { currency: 'USD' } },
  { what: 'an unknown channel', change: { channel: 'barter' } },
  { what: 'no instrument', change: { instrument: undefined } },
  { what: 'an unknown instrument', change: { instrument: { type: 'gold' } } },
  { what: 'an id that differs from its path', change: { attempt: '000000C1-999' } },
  { what: 'no account', change: { account: undefined } },
];

const isRefusal = (status: number): boolean => status === 400 || status === 422;

async function stillWorks(session: Session): Promise<void> {
  const { status } = await session.call('GET', '/manifest');
  must(status === 200, `The next call for the manifest got status ${status}.`);
}

export const boundChecks: readonly Check[] = [
  ...faulty.map(
    ({ what, change }): Check => ({
      guarantee: `a charge with ${what} is rejected without effect`,
      try: async (session) => {
        const order = await session.orderOf('approved');
        const { status } = await session.call('PUT', chargeAt(order), { ...order, ...change });
        must(isRefusal(status), `The connector answered with status ${status}.`);
        must((await session.listed(order.attempt)).length === 0, 'The list contains a charge.');
      },
    }),
  ),
  {
    guarantee: 'a body that is not JSON gets 400',
    try: async (session) => {
      const path = chargeAt({ attempt: session.newAttempt() });
      const { status } = await session.call('PUT', path, undefined, { raw: '{"attempt":' });
      must(status === 400, `The connector answered with status ${status}.`);
    },
  },
  {
    guarantee: 'a body of 1 MB is rejected, and the next call is answered',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const body = { ...order, note: 'x'.repeat(1_000_000) };
      // A server may close the connection before reading all of it.
      const answer = await session.call('PUT', chargeAt(order), body).catch(() => null);
      const refused = !answer || (answer.status >= 400 && answer.status < 500);
      must(refused, `The connector answered with status ${answer?.status}.`);
      must((await session.listed(order.attempt)).length === 0, 'The list contains a charge.');
      await stillWorks(session);
    },
  },
  {
    guarantee: 'members unknown to the protocol are ignored',
    try: async (session) => {
      const order = await session.orderOf('approved', { invented_later: { deep: [1] } });
      const outcome = await put(session, order);
      must(outcome.outcome === 'approved', `The outcome was ${outcome.outcome}.`);
    },
  },
  {
    guarantee: 'a card number in place of a token is neither charged nor repeated',
    try: async (session) => {
      const instrument = { type: 'token', token: cardNumber, brand: 'visa', bin: '450799' };
      const order = await session.orderOf('approved', { instrument });
      const { status, body } = await session.call('PUT', chargeAt(order), order);
      const rejected = JSON.stringify(body ?? '').includes('"rejected"');
      must(status >= 400 || rejected, `The answer was ${JSON.stringify(body)}.`);
      must(!JSON.stringify(body ?? '').includes(cardNumber), 'The answer repeats the number.');
      must((await settled(session, order)).outcome !== 'approved', 'The connector charged it.');
    },
  },
  {
    guarantee: 'an unknown path gets 404 or 405',
    try: async ({ call }) => {
      for (const path of ['/charges/a/b/c/d/e', '/nothing']) {
        const { status } = await call('GET', path);
        must(status === 404 || status === 405, `${path} got status ${status}.`);
      }
    },
  },
];

const share = 0.95;

/** Checks of the whole run, which therefore come last. */
export const closingChecks = (logged: (() => Promise<string>) | null): readonly Check[] => [
  {
    guarantee: '95 of 100 charges are answered within the time in the manifest',
    try: async ({ measured: { putMs }, manifest: { channels } }) => {
      const sorted = [...putMs].sort((a, b) => a - b);
      const at = sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
      const limit = 1000 * Math.max(...channels.map((one) => one.answers_within_s));
      must(
        at <= limit,
        `The 95th took ${Math.round(at)} ms; the limit in the manifest is ${limit} ms.`,
      );
    },
  },
  {
    guarantee: 'the list contains only the charges of the kit, each of them once',
    try: async ({ charges, before, ordered }) => {
      const taken = (await charges()).filter(
        (one) => one.outcome === 'approved' && !one.payment && !before.has(nameOf(one)),
      );
      for (const { attempt = '', amount } of taken) {
        const due = ordered.get(attempt);
        must(due !== undefined, `It contains ${attempt}, which the kit never charged.`);
        must(
          due === amount,
          `It has ${amount} centavos for ${attempt}, but the kit ordered ${due}.`,
        );
      }
      const names = taken.map(({ attempt }) => attempt);
      must(new Set(names).size === names.length, 'It contains a charge more than once.');
    },
  },
  {
    guarantee: 'no answer contains a card number',
    try: async ({ measured: { cardNumbers, answers } }) => {
      const found = cardNumbers.length;
      must(
        found === 0,
        `${found} in ${answers} answers; one ends in ${cardNumbers[0]?.slice(-4)}.`,
      );
    },
  },
  {
    guarantee: 'the log contains no card number',
    try: async () => {
      if (!logged) throw new NotOffered('The kit needs --log to read the log.');
      const text = await logged();
      const [found] = [...cardNumbersIn(text), ...cardNumbersIn(decoded(text))];
      must(found === undefined, `One ends in ${found?.slice(-4)}.`);
    },
  },
];
