import { hash } from 'node:crypto';
import { type Receiver, sendWithinMs } from './receiver.ts';

/**
 * Posts lines of JSON to an address of the operator's; any 2xx takes them. A batch that is sent
 * again has the same Idempotency-Key, the digest of its lines.
 */
export function httpReceiver(address: URL): Receiver {
  const { username, password } = address;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  const basic = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    async send(lines) {
      const body = lines.map((line) => `${line}\n`).join('');
      const response = await fetch(url, {
        method: 'POST',
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(sendWithinMs),
        headers: {
          'content-type': 'application/x-ndjson',
          'idempotency-key': hash('sha256', body),
          ...(username !== '' && {
            authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
          }),
        },
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the receiver of anchors answered ${response.status}`);
    },
  };
}
