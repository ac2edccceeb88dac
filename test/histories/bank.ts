import { bodyFor, sign } from '../../connectors/protocol/signature.ts';
import type { Sent } from './deployment.ts';

/** A bank's connector that only tells: of transfers to the accounts of payment requests. */
const secret = `whsec_${Buffer.alloc(32, 11).toString('base64')}`;

/** The entry of CONNECTORS; nothing answers there. */
export const bankConnector = JSON.stringify([
  { name: 'bank', url: 'http://127.0.0.1:9', secrets: [secret], channels: ['wire_transfer'] },
]);

export const noticesPath = '/connectors/bank/notices';

/** Signs the notice afresh for each delivery: the service refuses a signature that it has seen. */
export function noticeOf(notice: object): Sent {
  const body = bodyFor('POST', noticesPath, notice);
  return { body, as: null, headers: () => ({ ...sign([secret], body) }) };
}
