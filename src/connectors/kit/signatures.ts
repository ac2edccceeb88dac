import { sign, signedText } from '../../../connectors/protocol/signature.ts';
import type { Check } from './check.ts';
import { chargeAt, must, type Order, put, type Session } from './session.ts';

type Forge = (session: Session, order: Order) => Record<string, string>;

const seconds = ({ nowMs }: Session, ahead = 0): number => Math.floor(nowMs() / 1000) + ahead;
const foreign = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const forged: readonly { what: string; headers: Forge }[] = [
  { what: 'without a signature', headers: () => ({}) },
  {
    what: 'signed with another secret',
    headers: (session, order) =>
      sign([foreign], JSON.stringify(order), { seconds: seconds(session) }),
  },
  {
    what: 'whose signature is of another body',
    headers: (session, order) =>
      sign(session.secrets, JSON.stringify({ ...order, amount: 1 }), { seconds: seconds(session) }),
  },
  {
    what: 'signed ten minutes ago',
    headers: (session, order) =>
      sign(session.secrets, JSON.stringify(order), { seconds: seconds(session, -600) }),
  },
  {
    what: 'signed ten minutes ahead',
    headers: (session, order) =>
      sign(session.secrets, JSON.stringify(order), { seconds: seconds(session, 600) }),
  },
];

async function hasNoEffect(session: Session, order: Order, seen: string): Promise<void> {
  const asked = await session.ask(chargeAt(order));
  const unheard = JSON.stringify(asked.body).includes('"unheard"');
  must(asked.status === 404 || unheard, `${seen}, and GET answers ${JSON.stringify(asked.body)}`);
  must((await session.listed(order.attempt)).length === 0, `${seen}, and the list shows a charge`);
}

const refuses = ({ what, headers }: (typeof forged)[number]): Check => ({
  guarantee: `a charge ${what} is answered with 401 and has no effect`,
  try: async (session) => {
    const order = await session.orderOf('approved');
    const options = { headers: headers(session, order) };
    const { status } = await session.call('PUT', chargeAt(order), order, options);
    must(status === 401, `It was answered with status ${status}.`);
    await hasNoEffect(session, order, 'It was refused');
  },
});

export const signatureChecks: readonly Check[] = [
  ...forged.map(refuses),
  {
    guarantee: 'a call with the id of one that was heard is answered with 401',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const headers = sign(session.secrets, JSON.stringify(order), { seconds: seconds(session) });
      const first = await session.call('PUT', chargeAt(order), order, { headers });
      must(first.status === 200, `The first was answered with status ${first.status}.`);
      const { status } = await session.call('PUT', chargeAt(order), order, { headers });
      must(status === 401, `The second was answered with status ${status}.`);
    },
  },
  {
    guarantee: 'a GET is signed over its path and query: one with another query is 401',
    try: async (session) => {
      const order = await session.orderOf('approved');
      await put(session, order);
      const text = signedText('', `${chargeAt(order)}?account=FFFFFFFF`);
      const headers = sign(session.secrets, text, { seconds: seconds(session) });
      const path = `${chargeAt(order)}?account=000000C1`;
      const { status } = await session.call('GET', path, undefined, { headers });
      must(status === 401, `It was answered with status ${status}.`);
    },
  },
  {
    guarantee: 'the manifest, too, is told only to who signs',
    try: async ({ call }) => {
      const { status } = await call('GET', '/manifest', undefined, { headers: {} });
      must(status === 401, `It was answered with status ${status}.`);
    },
  },
];
