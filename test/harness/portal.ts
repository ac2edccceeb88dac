import { system } from '../../src/platform/actor.ts';
import { formToken } from '../../src/portal/frame/forgery.ts';
import type { AccountRole, ServiceRole } from '../../src/users/index.ts';
import { type TestService, testAccount } from './service.ts';

export const testPassword = 'rosa-de-los-vientos';

/** A signed-in user of a portal. */
export interface Office {
  userId: number;
  email: string;
  cookie: string;
  /** Returns the token of a form that is posted to a portal address. */
  token(action: string): string;
  get(path: string): Promise<Shown>;
  /** Sends a form as the portal's page does. `forged` replaces its token. */
  post(path: string, fields?: Fields, forged?: string): Promise<Shown>;
  /** Sends a form with a file, in the field `file` by default. */
  send(path: string, file: FormFile, fields?: Record<string, string>): Promise<Shown>;
}

export interface FormFile {
  name: string;
  content: string | Uint8Array;
  field?: string;
}

export type Fields = Record<string, string | readonly string[]>;

export interface Shown {
  status: number;
  location: string | null;
  text: string;
  headers: Headers;
}

const shown = async (response: Response): Promise<Shown> => ({
  status: response.status,
  location: response.headers.get('location'),
  text: await response.text(),
  headers: response.headers,
});

const bodyOf = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  );

/** Compressing a page takes as long as rendering it, so only tests of compression request it. */
const plain = { 'accept-encoding': 'identity' };

/** Posts a form with the service's own origin, as its pages do. Does not follow redirects. */
export async function postForm(
  origin: string,
  path: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Shown> {
  return await shown(
    await fetch(`${origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, ...plain, ...headers },
      body: bodyOf(fields),
    }),
  );
}

let made = 0;

/** Creates a user with a role and signs in through the page. */
export async function signIn(
  { origin, service }: TestService,
  role: AccountRole | ServiceRole,
  { accountId = testAccount }: { accountId?: string } = {},
): Promise<Office> {
  made += 1;
  const email = `${role}-${made}@example.com`;
  const serves = role === 'operator' || role === 'operator_read_only';
  // Not by an operator: one without a name would bar every user from approving large payouts.
  const user = await service.parts.users.create(system, {
    email,
    name: `Test ${role}`,
    lang: 'es',
    password: testPassword,
    serviceRole: serves ? role : null,
    membership: serves ? null : { accountId, role },
  });
  const answer = await postForm(origin, '/portal/sign-in', { email, password: testPassword });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (answer.status !== 303 || cookie === undefined) {
    throw new Error(`nobody could sign in: ${answer.status} ${answer.text}`);
  }
  return officeOf(origin, cookie, { userId: user.id, email });
}

/** Returns a session with this cookie. */
export function officeOf(
  origin: string,
  cookie: string,
  who: { userId: number; email: string },
): Office {
  const secret = cookie.slice(cookie.indexOf('=') + 1);
  const token = (action: string): string => formToken(secret, action);
  return {
    ...who,
    cookie,
    token,
    async get(path) {
      const read = async (at: string) =>
        await shown(
          await fetch(`${origin}${at}`, { redirect: 'manual', headers: { ...plain, cookie } }),
        );
      const first = await read(path);
      // A page whose form creates something redirects once, to its own address with a new
      // idempotency key.
      const [bare = ''] = path.split('?');
      const { location } = first;
      const isKeyed = location?.startsWith(`${bare}?`) && /[?&]key=/.test(location);
      return isKeyed && location !== null ? await read(location) : first;
    },
    post: (path, fields = {}, forged) =>
      postForm(origin, path, { token: forged ?? token(path), ...fields }, { cookie }),
    async send(path, { name, content, field = 'file' }, fields = {}) {
      const body = new FormData();
      for (const [key, value] of Object.entries({ token: token(path), ...fields })) {
        body.set(key, value);
      }
      body.set(field, new File([Buffer.from(content)], name));
      const headers = { origin, ...plain, cookie };
      return await shown(
        await fetch(origin + path, { method: 'POST', redirect: 'manual', headers, body }),
      );
    },
  };
}
