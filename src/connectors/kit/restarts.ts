import { bodyFor, sign } from '../../../connectors/protocol/signature.ts';
import type { Check } from './check.ts';
import { chargeAt, must, NotOffered, put, type Session } from './session.ts';

/** Restarts the connector, and returns once it answers again. */
export type Restart = () => Promise<void>;

export async function restarted({ call, until }: Session, restart: Restart | null): Promise<void> {
  if (!restart) throw new NotOffered('The kit needs --restart to restart it.');
  await restart();
  const answers = (): Promise<boolean> =>
    call('GET', '/manifest').then(
      ({ status }) => status === 200,
      () => false,
    );
  must(await until(answers, Boolean), 'It does not answer after the restart.');
}

export const restartChecks = (restart: Restart | null): readonly Check[] => [
  {
    guarantee: 'a call replayed after a restart gets 401',
    try: async (session) => {
      if (!restart) return await restarted(session, restart);
      const order = await session.orderOf('approved');
      const body = bodyFor('PUT', chargeAt(order), order);
      const headers = sign(session.secrets, body, { seconds: Math.floor(session.nowMs() / 1000) });
      await session.call('PUT', chargeAt(order), order, { headers });
      await restarted(session, restart);
      const { status } = await session.call('PUT', chargeAt(order), order, { headers });
      must(status === 401, `The connector answered with status ${status}.`);
    },
  },
  {
    guarantee: 'a charge sent again after a restart is one charge with one answer',
    try: async (session) => {
      if (!restart) return await restarted(session, restart);
      const order = await session.orderOf('approved');
      const first = await put(session, order);
      await restarted(session, restart);
      const again = await put(session, order);
      const both = [first, again].map((one) => ('reference' in one ? one.reference : one.outcome));
      must(both[0] === both[1], `The answer was ${both[0]}, and ${both[1]} after the restart.`);
      const listed = await session.listed(order.attempt);
      must(listed.length === 1, `The list has it ${listed.length} times.`);
    },
  },
];
