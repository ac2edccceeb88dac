import { bodyFor, sign } from '../../connectors/protocol/signature.ts';
import type { Sent } from './deployment.ts';

/** Simulates a bank's connector that only sends notices of transfers to requests' accounts. */
const secret = `whsec_${Buffer.alloc(32, 11).toString('base64')}`;

/** Entry of CONNECTORS. No server listens at its address. */
export const bankConnector = JSON.stringify([
  { name: 'bank', url: 'http://127.0.0.1:9', secrets: [secret], channels: ['wire_transfer'] },
]);

export const noticesPath = '/connectors/bank/notices';

/** Signs the notice again for each delivery, because the service refuses a known signature. */
export function noticeOf(notice: object): Sent {
  const body = bodyFor('POST', noticesPath, notice);
  return { body, as: null, headers: () => ({ ...sign([secret], body) }) };
}
