import { bodyFor, sign, signedText } from '../../../connectors/protocol/signature.ts';
import type { Check } from './check.ts';
import { chargeAt, must, type Order, put, type Session } from './session.ts';

type Forge = (session: Session, order: Order) => Record<string, string>;

const seconds = ({ nowMs }: Session, ahead = 0): number => Math.floor(nowMs() / 1000) + ahead;
const foreign = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const bodyOf = (order: Order): string => bodyFor('PUT', chargeAt(order), order);

/** Returns an order's correct headers with a changed signature. */
function withSignature(
  session: Session,
  order: Order,
  change: (own: Buffer) => Buffer,
): Record<string, string> {
  const headers = sign(session.secrets.slice(0, 1), bodyOf(order), { seconds: seconds(session) });
  const own = Buffer.from(headers['webhook-signature'].slice(3), 'base64');
  return { ...headers, 'webhook-signature': `v1,${change(own).toString('base64')}` };
}

const forged: readonly { what: string; headers: Forge }[] = [
  { what: 'without a signature', headers: () => ({}) },
  {
    what: 'signed with another secret',
    headers: (session, order) => sign([foreign], bodyOf(order), { seconds: seconds(session) }),
  },
  {
    what: 'with the signature of another body',
    headers: (session, order) =>
      sign(session.secrets, bodyOf({ ...order, amount: 1 }), { seconds: seconds(session) }),
  },
  {
    what: 'with wrong last bytes in its signature',
    headers: (session, order) =>
      withSignature(session, order, (own) =>
        Buffer.from(own.map((byte, index) => (index < 24 ? byte : byte ^ 255))),
      ),
  },
  {
    what: 'with a truncated signature',
    headers: (session, order) => withSignature(session, order, (own) => own.subarray(0, 16)),
  },
  {
    what: 'with an empty signature',
    headers: (session, order) => withSignature(session, order, (own) => own.subarray(0, 0)),
  },
  {
    what: 'signed ten minutes ago',
    headers: (session, order) =>
      sign(session.secrets, bodyOf(order), { seconds: seconds(session, -600) }),
  },
  {
    what: 'signed ten minutes ahead',
    headers: (session, order) =>
      sign(session.secrets, bodyOf(order), { seconds: seconds(session, 600) }),
  },
];

async function hasNoEffect(session: Session, order: Order, seen: string): Promise<void> {
  const inquiry = await session.ask(chargeAt(order));
  const isUnknown = JSON.stringify(inquiry.body).includes('"unheard"');
  must(
    inquiry.status === 404 || isUnknown,
    `${seen}, but GET returned ${JSON.stringify(inquiry.body)}`,
  );
  must(
    (await session.listed(order.attempt)).length === 0,
    `${seen}, but the list contains a charge`,
  );
}

const refuses = ({ what, headers }: (typeof forged)[number]): Check => ({
  guarantee: `a charge ${what} gets 401 and has no effect`,
  try: async (session) => {
    const order = await session.orderOf('approved');
    const options = { headers: headers(session, order) };
    const { status } = await session.call('PUT', chargeAt(order), order, options);
    must(status === 401, `The connector answered with status ${status}.`);
    await hasNoEffect(session, order, 'The call was rejected');
  },
});

/** Replays a captured body under its own signature. */
async function replay(session: Session, raw: string, method: string, path: string): Promise<void> {
  const headers = sign(session.secrets, raw, { seconds: seconds(session) });
  const { status } = await session.call(method, path, undefined, { raw, headers });
  must(status === 401, `${method} ${path} got status ${status}.`);
}

export const signatureChecks: readonly Check[] = [
  ...forged.map(refuses),
  {
    guarantee: 'a body signed for another path gets 401',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const other = { attempt: session.newAttempt() };
      await replay(session, bodyOf(order), 'POST', `${chargeAt(order)}/cancel`);
      await replay(session, bodyOf(order), 'PUT', `${chargeAt(order)}/refunds/1`);
      await replay(session, bodyOf(order), 'PUT', chargeAt(other));
      await hasNoEffect(session, order, 'The call was rejected');
    },
  },
  {
    guarantee: 'a body that does not name its target gets 401',
    try: async (session) => {
      const order = await session.orderOf('approved');
      await replay(session, JSON.stringify(order), 'PUT', chargeAt(order));
      await hasNoEffect(session, order, 'The call was rejected');
    },
  },
  {
    guarantee: 'a call with the id of an earlier one gets 401',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const headers = sign(session.secrets, bodyOf(order), { seconds: seconds(session) });
      const first = await session.call('PUT', chargeAt(order), order, { headers });
      must(first.status === 200, `The first call got status ${first.status}.`);
      const { status } = await session.call('PUT', chargeAt(order), order, { headers });
      must(status === 401, `The second call got status ${status}.`);
    },
  },
  {
    guarantee: 'the id of a rejected call stays valid for the genuine one',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const headers = sign(session.secrets, bodyOf(order), { seconds: seconds(session) });
      const forgery = {
        ...headers,
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      };
      const refused = await session.call('PUT', chargeAt(order), order, { headers: forgery });
      must(refused.status === 401, `The forged call got status ${refused.status}.`);
      const { status } = await session.call('PUT', chargeAt(order), order, { headers });
      must(status === 200, `The genuine call got status ${status}.`);
    },
  },
  {
    guarantee: 'a GET with another query than the signed one gets 401',
    try: async (session) => {
      const order = await session.orderOf('approved');
      await put(session, order);
      const signedPath = `${chargeAt(order)}?account=FFFFFFFF`;
      const text = signedText({ method: 'GET', path: signedPath, body: '' });
      const headers = sign(session.secrets, text, { seconds: seconds(session) });
      const path = `${chargeAt(order)}?account=000000C1`;
      const { status } = await session.call('GET', path, undefined, { headers });
      must(status === 401, `The connector answered with status ${status}.`);
    },
  },
  {
    guarantee: 'the manifest also requires a signature',
    try: async ({ call }) => {
      const { status } = await call('GET', '/manifest', undefined, { headers: {} });
      must(status === 401, `The connector answered with status ${status}.`);
    },
  },
];
