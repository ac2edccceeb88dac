import { openHttp } from '../../connectors/protocol/http.ts';
import { sign, signedText } from '../../connectors/protocol/signature.ts';

export interface Passed {
  method: string;
  address: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
export interface Told {
  status: number;
  body: string;
}

/** A fault of a connector; `pass` forwards to the correct one. */
export type Distortion = (call: Passed, pass: (call: Passed) => Promise<Told>) => Promise<Told>;

export const resigned = (secret: string, { method, address, body }: Passed): Passed['headers'] => ({
  ...sign([secret], signedText({ method, path: address, body: method === 'GET' ? '' : body })),
});

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** Opens a faulty connector: a correct one behind a proxy that distorts its responses. */
export async function openDistorting(target: string, distort: Distortion) {
  const pass = async ({ method, address, headers, body }: Passed): Promise<Told> => {
    const signed = names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await fetch(`${target}${address}`, {
      method,
      headers: Object.fromEntries(signed),
      ...(body !== '' && method !== 'GET' && { body }),
    });
    return { status: answer.status, body: await answer.text() };
  };
  return await openHttp({ host: '127.0.0.1', port: 0 }, async (request) => {
    const { status, body } = await distort(request, pass);
    return { status, body, headers: { 'content-type': 'application/json' } };
  });
}
