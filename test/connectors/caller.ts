import { randomBytes } from 'node:crypto';
import { bodyFor, sign, signedText } from '../../connectors/protocol/signature.ts';

/** Returns a new secret of the protocol. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export interface Said {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test reads the answer that it expects
  body: any;
  text: string;
  headers: Headers;
}

export interface Caller {
  call: (method: string, path: string, body?: unknown, headers?: object) => Promise<Said>;
  /** Sends a GET about a charge or refund. */
  ask: (path: string, businessTime?: string) => Promise<Said>;
}

/** Calls a connector as the service does: signed. */
export function callerOf(origin: () => string, secret: string): Caller {
  const call: Caller['call'] = async (method, path, body, headers) => {
    const text =
      body === undefined
        ? ''
        : typeof body === 'string'
          ? body
          : bodyFor(method, path, body as object);
    const answer = await fetch(`${origin()}${path}`, {
      method,
      headers: { ...sign([secret], signedText({ method, path, body: text })), ...headers },
      ...(text !== '' && { body: text }),
    });
    const said = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return {
      status: answer.status,
      body: isJson ? JSON.parse(said) : null,
      text: said,
      headers: answer.headers,
    };
  };
  return {
    call,
    ask: (path, businessTime = new Date().toISOString()) =>
      call(
        'GET',
        `${path}?${new URLSearchParams({ account: '00A1B2C3', business_time: businessTime })}`,
      ),
  };
}

let attempts = 0;
/** Returns an id that no other charge of the run has. */
export const newAttempt = (): string => {
  attempts += 1;
  return `00A1B2C3-${Date.now() % 1_000_000_000}${attempts}`;
};

/** Returns the order of a charge, as the service sends it. */
export const orderOf = (attempt: string, changes: object = {}): Record<string, unknown> => ({
  attempt,
  business_time: new Date().toISOString(),
  channel: 'credit_card',
  amount: 150_075,
  currency: 'ARS',
  account: { id: '00A1B2C3', settings: {} },
  request: { id: '1002345', description: 'Cuota de noviembre' },
  payer: {
    name: 'Ana Pérez',
    email: 'ana@example.com',
    ip: '203.0.113.7',
    user_agent: 'a browser',
  },
  instrument: { type: 'token', token: 'tok_1', brand: 'visa', bin: '450799', last_four: '4905' },
  deadline: new Date(Date.now() + 40_000).toISOString(),
  ...changes,
});

export const refundOf = (
  attempt: string,
  refund: string,
  reference: string,
  changes: object = {},
): Record<string, unknown> => ({
  attempt,
  refund,
  business_time: new Date().toISOString(),
  account: { id: '00A1B2C3', settings: {} },
  reference,
  charged: 150_075,
  refunded_before: 0,
  amount: 150_075,
  currency: 'ARS',
  ...changes,
});
