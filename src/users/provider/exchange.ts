import type { AuthorizationServer, Client, ClientAuth, IDToken } from 'oauth4webapi';
import { isEmail } from '../../kernel/email.ts';
import { httpOf, type Library } from './discovery.ts';
import { type Flow, ProviderFailure, toleratedSeconds } from './flow.ts';
import { subjectShape } from './identities.ts';
import type { Claims, ProviderSettings } from './settings.ts';

/** Uses HTTP Basic, the standard's default, unless the provider's list omits it. */
const authOf = (oauth: Library, server: AuthorizationServer, secret: string): ClientAuth => {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
};

const factorIn = ({ amr, acr }: IDToken, values: readonly string[]): boolean =>
  [acr, ...(Array.isArray(amr) ? amr : [])].some(
    (one) => typeof one === 'string' && values.includes(one),
  );

interface Exchange extends ProviderSettings {
  redirectUri: string;
  withinMs: number;
  flow: Flow;
  query: URLSearchParams;
}

async function emailOf(
  oauth: Library,
  server: AuthorizationServer,
  {
    client,
    token,
    claims,
    http,
  }: { client: Client; token: string; claims: IDToken; http: ReturnType<typeof httpOf> },
): Promise<string | null> {
  let { email, email_verified: isVerified } = claims;
  // A provider that follows the standard strictly gives the address only at its UserInfo endpoint.
  if (email === undefined && server.userinfo_endpoint !== undefined) {
    const answer = await oauth.userInfoRequest(server, client, token, http);
    const isSigned = answer.headers.get('content-type')?.includes('application/jwt');
    const info = await oauth.processUserInfoResponse(server, client, claims.sub, answer);
    if (isSigned) await oauth.validateApplicationLevelSignature(server, answer, http);
    ({ email, email_verified: isVerified } = info);
  }
  if (isVerified !== true || typeof email !== 'string' || !isEmail(email)) return null;
  // Refuses look-alike letters, such as the Kelvin sign, which lower-casing turns into ordinary
  // ones.
  return email.normalize('NFKC') === email ? email : null;
}

/** Exchanges a callback's code for verified claims. `server` is the discovered one. */
export async function exchange(
  oauth: Library,
  server: AuthorizationServer,
  { clientId, clientSecret, factorValues, redirectUri, withinMs, flow, query }: Exchange,
): Promise<Claims> {
  const client: Client = { client_id: clientId, [oauth.clockTolerance]: toleratedSeconds };
  const http = httpOf(oauth, new URL(server.issuer), withinMs);
  const parameters = oauth.validateAuthResponse(server, client, query, flow.state);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authOf(oauth, server, clientSecret),
    parameters,
    redirectUri,
    flow.verifier,
    http,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    expectedNonce: flow.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, answer, http);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined || !subjectShape.test(claims.sub)) throw new ProviderFailure('invalid');
  const { auth_time: seconds } = claims;
  return {
    issuer: server.issuer,
    subject: claims.sub,
    email: await emailOf(oauth, server, { client, token: tokens.access_token, claims, http }),
    authenticatedAt:
      seconds === undefined ? null : Temporal.Instant.fromEpochMilliseconds(seconds * 1000),
    hasFactor: factorIn(claims, factorValues),
  };
}
