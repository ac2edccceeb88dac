import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { openidClient } from './openid.ts';

const page = (uid: string): string => `<!doctype html><title>Provider</title>
<form method="post" action="/interaction/${uid}">
<label>Who are you? <input name="login" /></label><button>Continue</button></form>`;

async function loginIn(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString()).get('login') ?? '';
}

/**
 * Starts a certified implementation of OpenID Connect (`oidc-provider`) that accepts any address
 * typed into its page, and does not ask for consent.
 */
export async function startOpenidProvider(redirectUri: string) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: openidClient.id,
        client_secret: openidClient.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL('/portal/sign-in', redirectUri).href],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', kid: 'one' }] },
    cookies: { keys: ['a key of cookies in tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, email: string) => ({
      accountId: email,
      claims: () => ({ sub: `subject of ${email}`, email, email_verified: true }),
    }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
      const { accountId } = oidc.session;
      const grant = new provider.Grant({ accountId, clientId: openidClient.id });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });

  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      const { uid } = await provider.interactionDetails(request, response);
      response.setHeader('content-type', 'text/html').end(page(uid));
      return;
    }
    const result = { login: { accountId: await loginIn(request) } };
    await provider.interactionFinished(request, response, result);
  };

  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    // The browser’s Back button leads to an interaction that has ended.
    interact(request, response).catch((error: Error) => response.writeHead(400).end(error.message));
  });
  return {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: openidClient.id,
      OIDC_CLIENT_SECRET: openidClient.secret,
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
