import { allPermissions, createAccount, createKey, listAccounts } from './accounts/index.ts';
import type { Parts } from './composition/parts.ts';
import type { Config } from './config.ts';
import { system } from './platform/actor.ts';
import { Refusal } from './platform/errors.ts';
import { withAdvisoryLock } from './platform/postgres/advisory-lock.ts';
import { demoAccount } from './sandbox/index.ts';

export interface Demo {
  accountId: string;
  /** Only when it was made now, or is fixed by configuration; a key is shown once. */
  key: string | null;
}

/** Gives a new sandbox its demo account and key, once for a database. */
export async function seedSandbox(config: Config, { base }: Parts): Promise<Demo> {
  const { sql, recordIds } = base;
  const acting = { ...base, actor: system };
  return await withAdvisoryLock(
    sql,
    'recaudo seed',
    { mode: 'exclusive', wait: true },
    async () => {
      const wanted = config.SANDBOX_ACCOUNT_ID;
      const accounts = await listAccounts(sql);
      const known = accounts.find((one) => wanted === null || one.id === wanted);
      const account = known ?? (await createAccount(acting, demoAccount(wanted)));
      const fixed = config.SANDBOX_API_KEY;
      if (known && fixed === null) return { accountId: account.id, key: null };
      const id = await recordIds.next();
      const input = {
        id,
        environment: config.ENVIRONMENT,
        accountId: account.id,
        name: 'demo',
        permissions: [...allPermissions],
        expiresAt: null,
        secret: fixed,
      };
      try {
        return { accountId: account.id, key: await createKey(acting, input) };
      } catch (error) {
        if (error instanceof Refusal && error.kind === 'conflict') {
          return { accountId: account.id, key: fixed };
        }
        throw error;
      }
    },
  );
}
