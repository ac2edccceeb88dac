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
  { what: 'an amount as text', change: { amount: '150075' } },
  { what: 'another currency', change: { currency: 'USD' } },
  { what: 'an unknown channel', change: { channel: 'barter' } },
  { what: 'no instrument', change: { instrument: undefined } },
  { what: 'an unknown instrument', change: { instrument: { type: 'gold' } } },
  { what: 'another id than its address', change: { attempt: '000000C1-999' } },
  { what: 'no account', change: { account: undefined } },
];

const isRefusal = (status: number): boolean => status === 400 || status === 422;

async function stillWorks(session: Session): Promise<void> {
  const { status } = await session.call('GET', '/manifest');
  must(status === 200, `After it the manifest is answered with status ${status}.`);
}

export const boundChecks: readonly Check[] = [
  ...faulty.map(
    ({ what, change }): Check => ({
      guarantee: `a charge with ${what} is refused as a whole`,
      try: async (session) => {
        const order = await session.orderOf('approved');
        const { status } = await session.call('PUT', chargeAt(order), { ...order, ...change });
        must(isRefusal(status), `It was answered with status ${status}.`);
        must((await session.listed(order.attempt)).length === 0, 'The list shows a charge.');
      },
    }),
  ),
  {
    guarantee: 'a body that is no JSON is answered with 400',
    try: async (session) => {
      const path = chargeAt({ attempt: session.newAttempt() });
      const { status } = await session.call('PUT', path, undefined, { raw: '{"attempt":' });
      must(status === 400, `It was answered with status ${status}.`);
    },
  },
  {
    guarantee: 'a body of 1 MB is refused, and the next call is answered',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const body = { ...order, note: 'x'.repeat(1_000_000) };
      // A server may close the connection before reading all of it.
      const answer = await session.call('PUT', chargeAt(order), body).catch(() => null);
      const refused = !answer || (answer.status >= 400 && answer.status < 500);
      must(refused, `It was answered with status ${answer?.status}.`);
      must((await session.listed(order.attempt)).length === 0, 'The list shows a charge.');
      await stillWorks(session);
    },
  },
  {
    guarantee: 'members that the protocol does not know are ignored',
    try: async (session) => {
      const order = await session.orderOf('approved', { invented_later: { deep: [1] } });
      const outcome = await put(session, order);
      must(outcome.outcome === 'approved', `It was answered with ${outcome.outcome}.`);
    },
  },
  {
    guarantee: 'a card number in the place of a token is not charged, and not repeated',
    try: async (session) => {
      const instrument = { type: 'token', token: cardNumber, brand: 'visa', bin: '450799' };
      const order = await session.orderOf('approved', { instrument });
      const { status, body } = await session.call('PUT', chargeAt(order), order);
      const rejected = JSON.stringify(body ?? '').includes('"rejected"');
      must(status >= 400 || rejected, `It was answered with ${JSON.stringify(body)}.`);
      must(!JSON.stringify(body ?? '').includes(cardNumber), 'The answer repeats the number.');
      must((await settled(session, order)).outcome !== 'approved', 'It was charged.');
    },
  },
  {
    guarantee: 'an address that is none is answered with 404 or 405',
    try: async ({ call }) => {
      for (const path of ['/charges/a/b/c/d/e', '/nothing']) {
        const { status } = await call('GET', path);
        must(status === 404 || status === 405, `${path} was answered with status ${status}.`);
      }
    },
  },
];

const share = 0.95;

/** Checks of the whole run, which therefore come last. */
export const closingChecks = (logged: (() => Promise<string>) | null): readonly Check[] => [
  {
    guarantee: 'of 100 charges 95 are answered within the time of the manifest',
    try: async ({ measured: { putMs }, manifest: { channels } }) => {
      const sorted = [...putMs].sort((a, b) => a - b);
      const at = sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
      const limit = 1000 * Math.max(...channels.map((one) => one.answers_within_s));
      must(at <= limit, `The 95th took ${Math.round(at)} ms, the manifest says ${limit}.`);
    },
  },
  {
    guarantee: 'the list of the acquirer grew by the charges of the kit alone, each of them once',
    try: async ({ charges, before, ordered }) => {
      const taken = (await charges()).filter(
        (one) => one.outcome === 'approved' && !one.payment && !before.has(nameOf(one)),
      );
      for (const { attempt = '', amount } of taken) {
        const due = ordered.get(attempt);
        must(due !== undefined, `It shows ${attempt}, which the kit never charged.`);
        must(due === amount, `It shows ${amount} centavos of ${attempt}, and ${due} were ordered.`);
      }
      const names = taken.map(({ attempt }) => attempt);
      must(new Set(names).size === names.length, 'It shows a charge more than once.');
    },
  },
  {
    guarantee: 'nothing that was answered holds a card number',
    try: async ({ measured: { cardNumbers, answers } }) => {
      const found = cardNumbers.length;
      must(
        found === 0,
        `${found} in ${answers} answers, one ends in ${cardNumbers[0]?.slice(-4)}.`,
      );
    },
  },
  {
    guarantee: 'nothing that it logged holds a card number',
    try: async () => {
      if (!logged) throw new NotOffered('The kit does not see its log: --log says where.');
      const text = await logged();
      const [found] = [...cardNumbersIn(text), ...cardNumbersIn(decoded(text))];
      must(found === undefined, `One ends in ${found?.slice(-4)}.`);
    },
  },
];
