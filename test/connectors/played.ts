import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cvuFor } from '../../connectors/bank/emulator/debins.ts';
import {
  createVerifier,
  hearHere,
  type SignatureHeaders,
  sign,
} from '../../connectors/protocol/signature.ts';

/** A call to a played connector. */
export interface Call {
  method: string;
  path: string;
  attempt: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what was sent
  body: any;
  fault: string | null;
}

/** Responds to a call, directly or through its socket. */
export type Play =
  | { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | ((response: ServerResponse, call: Call) => void);

export interface Played {
  url: string;
  secret: string;
  calls: Call[];
  /** Responses by kind of call, which tests replace. */
  plays: {
    charge: (call: Call) => Play;
    inquiry: (call: Call) => Play;
    cancel: (call: Call) => Play;
    /** Response to captures and voids. */
    hold: (call: Call) => Play;
    refund: (call: Call) => Play;
    card: (call: Call) => Play;
    account: (call: Call) => Play;
    manifest: () => Play;
    /** Lists of a day: empty, unless a test sets one. */
    charges: (call: Call) => Play;
    transfers: (call: Call) => Play;
    settlements: (call: Call) => Play;
  };
  /** Returns the entry of CONNECTORS. */
  configured(members?: Record<string, unknown>): Record<string, unknown>;
  /** Returns the headers with which the connector signs a notice. */
  signed(body: string, options?: { id?: string; seconds?: number }): SignatureHeaders;
  stop(): Promise<void>;
}

export const secretOf = (fill: string): string =>
  `whsec_${Buffer.from(fill.padEnd(32, fill)).toString('base64')}`;

const channelOf = (channel: string) => ({
  channel,
  refunds: ['whole', 'part'],
  cancel: false,
  answers_within_s: 1,
  settles_within_s: 60,
});

export const manifestOf = (
  name: string,
  channels: readonly (string | Record<string, unknown>)[],
): Record<string, unknown> => ({
  protocol: 1,
  name,
  version: '1.0.0',
  channels: channels.map((one) =>
    typeof one === 'string' ? channelOf(one) : { ...channelOf(String(one.channel)), ...one },
  ),
  notices: [
    'charge.changed',
    'charge.charged_back',
    'dispute.changed',
    'card.changed',
    'transfer.received',
    'transfer.reversed',
    'qr.intention',
    'qr.confirmed',
    'qr.reversed',
  ],
});

export const approvedAs = (reference: string, amount: number, more: object = {}) => ({
  json: { outcome: 'approved', reference, amount, ...more },
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response: ServerResponse, play: Play, call: Call): void {
  if (typeof play === 'function') {
    play(response, call);
    return;
  }
  const { status = 200, json, text, headers = {} } = play;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text ?? JSON.stringify(json));
}

/** Returns an authorization that is held for a week from `now`. */
export const authorizedAs = (reference: string, amount: number, now: Temporal.Instant) => ({
  json: {
    ...approvedAs(reference, amount).json,
    outcome: 'authorized',
    expires_at: now.add({ hours: 24 * 7 }).toString({ smallestUnit: 'millisecond' }),
  },
});

/** Starts a test connector: a real server with responses that a test sets. */
export async function playConnector(
  name: string,
  channels: readonly (string | Record<string, unknown>)[],
): Promise<Played> {
  const secret = secretOf(name);
  const verify = createVerifier([secret], hearHere());
  const calls: Call[] = [];
  const plays: Played['plays'] = {
    manifest: () => ({ json: manifestOf(name, channels) }),
    charges: () => ({ json: { charges: [] } }),
    transfers: () => ({ json: { transfers: [] } }),
    settlements: () => ({ json: { settlements: [] } }),
    charge: ({ body }) => approvedAs(`ref-${body.attempt}`, body.amount),
    cancel: () => ({ json: { outcome: 'canceled' } }),
    hold: ({ path, body }) =>
      path.endsWith('/void')
        ? { json: { outcome: 'canceled' } }
        : approvedAs(body.reference, body.amount),
    refund: ({ body }) => ({ json: { outcome: 'done', reference: `back-${body.refund}` } }),
    card: ({ method, path }) => {
      if (path.endsWith('/forget')) return { json: { outcome: 'forgotten' } };
      const kept = { outcome: 'kept', brand: 'visa', bin: '450799', last_four: '4905' };
      const unheard = { outcome: 'unheard' };
      return { json: method === 'PUT' ? { ...kept, reference: `kept-${path.slice(7)}` } : unheard };
    },
    account: ({ body }) => ({ json: { outcome: 'open', cvu: cvuFor(body.request.id) } }),
    inquiry: () => ({ status: 404, json: { message: 'nobody knows it' } }),
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const text = await textOf(request);
    const { method = '' } = request;
    const verdict = await verify(request.headers, { method, path, body: text });
    const [, attempt = null] = /^\/charges\/([^/?]+)/.exec(path) ?? [];
    const call: Call = {
      method,
      path,
      attempt,
      body: text === '' ? null : JSON.parse(text),
      fault: 'fault' in verdict ? verdict.fault : null,
    };
    if (path === '/manifest') return answer(response, plays.manifest(), call);
    calls.push(call);
    if (call.fault) return answer(response, { status: 401, json: { message: call.fault } }, call);
    if (path.startsWith('/charges?')) return answer(response, plays.charges(call), call);
    if (path.startsWith('/settlements?')) return answer(response, plays.settlements(call), call);
    if (path.startsWith('/transfers?')) return answer(response, plays.transfers(call), call);
    const charges = { PUT: plays.charge, POST: plays.cancel }[call.method] ?? plays.inquiry;
    const played = path.startsWith('/cards/')
      ? plays.card
      : path.startsWith('/accounts/')
        ? plays.account
        : path.includes('/refunds/')
          ? plays.refund
          : /\/(capture|void)$/.test(path)
            ? plays.hold
            : charges;
    answer(response, played(call), call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    secret,
    calls,
    plays,
    configured: (members = {}) => ({
      name,
      url,
      secrets: [secret],
      channels: channels.map((one) => (typeof one === 'string' ? one : one.channel)),
      ...members,
    }),
    signed: (body, options) => sign([secret], body, options),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
