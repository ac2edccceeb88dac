import { randomBytes } from 'node:crypto';
import { createAccount, createKey, listAccounts, widePermissions } from './accounts/index.ts';
import type { Parts } from './composition/parts.ts';
import type { Config } from './config/index.ts';
import { system } from './platform/actor.ts';
import { Refusal } from './platform/errors.ts';
import { withAdvisoryLock } from './platform/postgres/advisory-lock.ts';
import { demoAccount, demoUsers } from './sandbox/index.ts';

export interface DemoUser {
  email: string;
  /** Shown once, when the user is created. */
  password: string;
}

export interface Demo {
  accountId: string;
  /** Null if the user existed before. */
  user: DemoUser | null;
  /**
   * Set only if the key was created now, or is fixed by configuration, because a key is shown once.
   */
  key: string | null;
}

/**
 * Gives a new sandbox its demo account with users and key, once per database. Secrets are shown
 * once, so only processes that show them create them: users need the portal, and a process that
 * only works seeds nothing and returns null.
 */
export async function seedSandbox(config: Config, parts: Parts): Promise<Demo | null> {
  if (config.ROLES.every((role) => role === 'worker')) return null;
  const { base } = parts;
  const { sql } = base;
  const acting = { ...base, actor: system };
  return await withAdvisoryLock(
    sql,
    'recaudo seed',
    { mode: 'exclusive', wait: true },
    async () => {
      const accountId = config.SANDBOX_ACCOUNT_ID;
      const accounts = await listAccounts(sql);
      const known = accounts.find((one) => accountId === null || one.id === accountId);
      const account = known ?? (await createAccount(acting, demoAccount(accountId)));
      const user = config.ROLES.includes('web') ? await seedUsers(parts, account.id) : null;
      const fixed = config.SANDBOX_API_KEY;
      if (known && fixed === null) return { accountId: account.id, user, key: null };
      return { accountId: account.id, user, key: await seedKey(config, parts, account.id) };
    },
  );
}

async function seedKey(config: Config, { base }: Parts, accountId: string): Promise<string | null> {
  const input = {
    id: await base.recordIds.next(),
    environment: config.ENVIRONMENT,
    accountId,
    name: 'demo',
    permissions: [...widePermissions],
    expiresAt: null,
    secret: config.SANDBOX_API_KEY,
  };
  try {
    return await createKey({ ...base, actor: system }, input);
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'conflict') return config.SANDBOX_API_KEY;
    throw error;
  }
}

/**
 * Creates the members of the demo account and an operator, with one random password. Returns null
 * if the first of them exists.
 */
async function seedUsers({ users }: Parts, accountId: string): Promise<DemoUser | null> {
  const [first] = demoUsers;
  if ((await users.find(first.email)) !== null) return null;
  const password = randomBytes(12).toString('base64url');
  for (const { email, name, role, serviceRole } of demoUsers.toReversed()) {
    if ((await users.find(email)) !== null) continue;
    const membership = role === null ? null : { accountId, role };
    await users.create(system, { email, name, lang: 'es', serviceRole, password, membership });
  }
  return { email: first.email, password };
}
