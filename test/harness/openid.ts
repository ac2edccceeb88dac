import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A person whom the provider knows. */
export interface OpenidPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
}

/** Faults of the next answers. */
export interface Twist {
  /** Members of the ID token; undefined leaves one out. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs with a key other than the published one, or not at all. */
  signs?: 'wrong' | 'nothing';
  /** Parameters of the callback; undefined leaves one out. */
  callback?: Record<string, string | undefined>;
  /** Paths that never answer, answer with 500, or answer with 300 kB. */
  slow?: string;
  broken?: string;
  endless?: string;
  /** The issuer in the discovery document. */
  issuer?: string;
  /** Publishes no keys. */
  empty?: true;
  /** Further members of the discovery document. */
  discovery?: Record<string, unknown>;
  /** Does not list PKCE in the discovery document. */
  plain?: true;
}

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function jwtOf(claims: object, header: object, key: KeyObject | null): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${key === null ? '' : sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const defined = (values: Record<string, string | undefined>) =>
  Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

export const openidClient = { id: 'recaudo', secret: 'a:secret%of+the&client' };

/**
 * Starts an OpenID provider over real HTTP, which answers as a test chooses. It signs in `person`
 * without asking, and checks client, redirect URI, code and PKCE like a real one.
 */
export async function startOpenid() {
  const published = keyPair();
  const other = keyPair();
  const codes = new Map<string, URLSearchParams>();
  const calls: string[] = [];
  const state = { person: { sub: 'nobody' } as OpenidPerson, twist: {} as Twist };

  const tokenFor = (asked: URLSearchParams): string => {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: openidClient.id,
      iat: seconds,
      exp: seconds + 300,
      auth_time: seconds,
      nonce: asked.get('nonce'),
      ...state.person,
      ...state.twist.claims,
    };
    const header = { alg: 'RS256', kid: 'one', ...state.twist.header };
    const { signs } = state.twist;
    const key = signs === 'wrong' ? other.privateKey : published.privateKey;
    return jwtOf(claims, header, signs === 'nothing' ? null : key);
  };

  const takeCode = (form: URLSearchParams, authorization: string): string | null => {
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')
      .map((one) => decodeURIComponent(one.replaceAll('+', ' ')));
    if (id !== openidClient.id || secret !== openidClient.secret) return null;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest();
    return asked?.get('redirect_uri') === form.get('redirect_uri') &&
      asked.get('code_challenge') === challenge.toString('base64url')
      ? tokenFor(asked)
      : null;
  };

  const answers: Record<string, (request: IncomingMessage, url: URL) => Promise<object | string>> =
    {
      '/.well-known/openid-configuration': async () => ({
        issuer: state.twist.issuer ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...(!state.twist.plain && { code_challenge_methods_supported: ['S256'] }),
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...state.twist.discovery,
      }),
      '/keys': async () => ({
        keys: state.twist.empty
          ? []
          : [{ ...published.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }],
      }),
      '/authorize': async (_request, { searchParams }) => {
        const code = randomUUID();
        codes.set(code, searchParams);
        const to = new URL(searchParams.get('redirect_uri') ?? '');
        const answer = { code, state: searchParams.get('state') ?? '', iss: issuer };
        to.search = new URLSearchParams(defined({ ...answer, ...state.twist.callback })).toString();
        return to.href;
      },
      '/token': async (request) => {
        const token = takeCode(await formOf(request), request.headers.authorization ?? '');
        return token === null
          ? { error: 'invalid_grant' }
          : { access_token: randomUUID(), token_type: 'Bearer', id_token: token };
      },
    };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuer);
    calls.push(url.pathname);
    const { slow, broken, endless } = state.twist;
    if (url.pathname === slow) return;
    if (url.pathname === broken) return void response.writeHead(500).end();
    if (url.pathname === endless) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.on('error', () => {});
      return void response.end(`{"filler":"${'x'.repeat(300_000)}"}`);
    }
    void answers[url.pathname]?.(request, url).then((answer) => {
      if (typeof answer === 'string') return response.writeHead(302, { location: answer }).end();
      const status = 'error' in answer ? 400 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    /** The paths that were called. */
    calls,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: openidClient.id,
      OIDC_CLIENT_SECRET: openidClient.secret,
      OIDC_NAME: 'Padrón',
    },
    knows(person: OpenidPerson, twist: Twist = {}): void {
      Object.assign(state, { person, twist });
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Openid = Awaited<ReturnType<typeof startOpenid>>;

/** Opens a browser tab that keeps cookies and does not follow redirects. */
export function openTab(origin: string) {
  const cookies = new Map<string, string>();
  const get = async (address: string) => {
    const response = await fetch(new URL(address, origin), {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'accept-encoding': 'identity',
      },
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (/Max-Age=0/.test(one)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { status, headers } = response;
    return {
      status,
      headers,
      location: headers.get('location') ?? '',
      text: await response.text(),
    };
  };
  /** Visits the provider and returns the address that it redirects to. */
  const asks = async (next = '/portal', at = '/portal/provider'): Promise<string> => {
    const begun = await get(`${at}?next=${encodeURIComponent(next)}`);
    const answered = await fetch(begun.location, { redirect: 'manual' });
    return answered.headers.get('location') ?? '';
  };
  return {
    cookies,
    get,
    asks,
    /** The session's cookie. */
    cookie: () => `recaudo_session=${cookies.get('recaudo_session') ?? ''}`,
    /** Visits the provider and returns the response of the callback. */
    signsIn: async (next?: string, at?: string) => await get(await asks(next, at)),
  };
}

export type Tab = ReturnType<typeof openTab>;
