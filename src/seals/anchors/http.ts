import { hash } from 'node:crypto';
import { type Receiver, sendWithinMs } from './receiver.ts';

/**
 * Posts lines of JSON to the operator's URL. Any 2xx confirms them. Retries carry the same
 * Idempotency-Key, the digest of the lines.
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
