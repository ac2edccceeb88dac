import { type Config, originOf } from '../../config/index.ts';
import { callbackPath, discover, readKeys } from '../../users/index.ts';
import { broken, type Finding, look, ok } from './finding.ts';

/** Checks the OpenID provider and our redirect URI. Rejects if discovery fails. */
export async function lookAtProvider(config: Config): Promise<Finding> {
  const server = await discover(config.OIDC_ISSUER ?? '');
  const redirectUri = `${originOf(config, config.PORT)}${callbackPath}`;
  if (config.ENVIRONMENT === 'production' && !redirectUri.startsWith('https://')) {
    return broken(`the redirect URI is ${redirectUri}`, 'Set PUBLIC_URL to an https:// origin.');
  }
  if ((await readKeys(server)) === 0) {
    return broken(`${server.jwks_uri} has no key`, 'Ask the operator of the provider.');
  }
  if (!server.code_challenge_methods_supported?.includes('S256')) {
    return look(
      'the provider does not list PKCE (S256)',
      'Ask the operator of the provider to enable it: without it, a stolen code is usable.',
    );
  }
  const claims = server.claims_supported;
  if (Array.isArray(claims) && !claims.includes('email_verified')) {
    return look(
      'the provider does not list the claim email_verified',
      'Link people with `recaudo users link`, unless the provider sends it anyway.',
    );
  }
  return ok(`${server.issuer} answers; register the redirect URI ${redirectUri}`);
}
