import { expect } from 'vitest';
import { freePort } from '../../src/platform/http/free-port.ts';
import {
  type Asked,
  type Authenticator,
  createAuthenticator,
  type Wrong,
} from '../harness/authenticator.ts';
import {
  type Office,
  officeOf,
  postForm,
  type Shown,
  signIn,
  testPassword,
} from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

/** Starts a service at an address at which browsers create passkeys. */
export async function startNamedService(): Promise<TestService> {
  const port = await freePort('127.0.0.1');
  const PUBLIC_URL = `http://localhost:${port}`;
  return await startService({ ROLES: 'payments,web', PORT: String(port), PUBLIC_URL });
}

/** Reads a page's passkey options. */
export const askedIn = ({ text }: Shown): Asked =>
  JSON.parse((/data-options="([^"]+)"/.exec(text)?.[1] ?? 'null').replaceAll('&quot;', '"'));

export const cookieIn = ({ headers }: Shown): string =>
  headers.get('set-cookie')?.split(';')[0] ?? '';

/** Creates users who add passkeys and sign in with them. */
export function passkeyDesk(service: TestService) {
  /** Creates a user with a passkey. Returns the recovery codes, too. */
  async function enrolled(): Promise<{ office: Office; key: Authenticator; codes: string[] }> {
    const office = await signIn(service, 'owner');
    const { key, answer } = await adds(office);
    const codes = [...answer.text.matchAll(/<code>([A-Z2-7-]+)<\/code>/g)].map(
      ([, one = '']) => one,
    );
    return { office, key, codes };
  }

  async function adds(
    office: Office,
    { key = createAuthenticator(service.origin), wrong = {} as Wrong, name = 'Notebook' } = {},
  ): Promise<{ key: Authenticator; answer: Shown; sent: string }> {
    const asked = askedIn(await office.post('/portal/me/passkeys/begin', { name }));
    const sent = key.makes(asked, wrong);
    return { key, sent, answer: await office.post('/portal/me/passkeys', { name, answer: sent }) };
  }

  /** Starts a session that waits for the second factor. */
  async function half({ email, userId }: Office): Promise<Office> {
    const answer = await postForm(service.origin, '/portal/sign-in', {
      email,
      password: testPassword,
    });
    expect(answer.location).toMatch(/^\/portal\/sign-in\/code/);
    return officeOf(service.origin, cookieIn(answer), { email, userId });
  }

  const begins = async (office: Office, at = '/portal/sign-in/passkey'): Promise<Asked> =>
    askedIn(await office.post(`${at}/begin`));

  const sends = (office: Office, answer: string, at = '/portal/sign-in/passkey') =>
    office.post(at, { answer });

  const isIn = async (office: Office): Promise<boolean> =>
    (await office.get(`/portal/${testAccount}`)).status === 200;

  const forgiveTries = () => service.sql`delete from user_tries`;

  async function passkeysOf({ userId }: Office): Promise<number> {
    return (await service.service.parts.users.listPasskeys(userId)).length;
  }

  return { enrolled, adds, half, begins, sends, isIn, forgiveTries, passkeysOf };
}

export type PasskeyDesk = ReturnType<typeof passkeyDesk>;
