import { createServer, type IncomingMessage } from 'node:http';
import { Compile } from 'typebox/compile';
import {
  type IntentionAnswer,
  type Notice,
  noticeSchema,
} from '../../../connectors/protocol/messages.ts';
import { createVerifier, hearHere } from '../../../connectors/protocol/signature.ts';
import { wallClock } from '../../platform/clocks.ts';
import type { Check } from './check.ts';
import { must, NotOffered, put } from './session.ts';

export interface Listener {
  notices: Notice[];
  /** Unsigned or malformed notices. */
  faults: string[];
  /** Returns the service's answer to an intention. */
  decide: (intention: Intention) => IntentionAnswer;
  close: () => void;
}

export type Intention = Extract<Notice, { type: 'qr.intention' }>;

const mostNoticeBytes = 64 * 1024;
const isNotice = Compile(noticeSchema);

/**
 * Listens in place of the service, at the address that the connector is configured to call. Refuses
 * the first delivery of each notice except intentions.
 */
export async function openListener(
  { host, port }: { host: string; port: number },
  secrets: readonly string[],
): Promise<Listener> {
  const verify = createVerifier(secrets, hearHere(), { now: () => wallClock.nowMs() });
  const notices: Notice[] = [];
  const faults: string[] = [];
  const refused = new Set<string>();

  const refuseAll: Listener['decide'] = () => ({ status: 'fail', code: 'error', reason: 'None.' });
  const listener: Listener = { notices, faults, decide: refuseAll, close: () => {} };

  const hear = async (
    { headers, url = '' }: IncomingMessage,
    text: string,
  ): Promise<{ status: number; answer: object }> => {
    const verified = await verify(headers, { method: 'POST', path: url, body: text });
    if ('fault' in verified) {
      faults.push(verified.fault);
      return { status: 401, answer: {} };
    }
    const body = verified.message;
    const isOne = isNotice.Check(body);
    // Callers that wait for an answer do not retry.
    if (isOne && body.type === 'qr.intention') {
      return { status: 200, answer: listener.decide(body) };
    }
    // Simulates a brief outage, after which refused notices must be retried.
    if (!refused.has(text)) {
      refused.add(text);
      return { status: 503, answer: {} };
    }
    if (!isOne) {
      faults.push(`not a notice: ${text.slice(0, 200)}`);
      return { status: 400, answer: {} };
    }
    notices.push(body);
    return { status: 200, answer: {} };
  };

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) {
      text += String(chunk);
      if (text.length > mostNoticeBytes) return request.destroy();
    }
    const { status, answer } = await hear(request, text);
    response.writeHead(status, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(answer));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  listener.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return listener;
}

/** Checks that need the kit to listen in place of the service. */
export const noticeChecks = (listener: Listener | null): readonly Check[] => [
  {
    guarantee: 'a signed notice reports a late change of a charge, and is retried until accepted',
    try: async (session) => {
      if (!listener) throw new NotOffered('The kit needs --listen to receive notices.');
      if (!session.manifest.notices.includes('charge.changed')) {
        throw new NotOffered('The manifest does not list the notice charge.changed.');
      }
      const order = await session.orderOf('pending');
      must((await put(session, order)).outcome === 'pending', 'The charge was not pending.');
      const isOurs = (one: Notice): boolean =>
        one.type === 'charge.changed' && one.attempt === order.attempt;
      const hasArrived = await session.until(
        async () => listener.notices.some(isOurs),
        (found) => found,
      );
      must(hasArrived, `The kit received no valid notice of it. ${listener.faults.join('; ')}`);
      must(listener.faults.length === 0, listener.faults.join('; '));
    },
  },
];
