import { auditIn } from '../../src/audit/index.ts';
import type { Sql, Transaction } from '../../src/platform/postgres/connect.ts';
import { connectSuperuser } from './database.ts';
import { type TestService, testAccount } from './service.ts';

export interface TamperOptions {
  account?: string;
  /** False for rows without a seal, which only a recomputation can check. */
  sealed?: boolean;
  since?: Temporal.Instant;
}

/** Changes anything in the database of a service. */
export interface Tamperer {
  /** Returns the audit's findings with a change in place, then undoes the change. */
  faultsAfter(
    change: string | ((tx: Transaction) => Promise<unknown>),
    options?: TamperOptions,
  ): Promise<string[]>;
  end(): Promise<void>;
}

/** Opens a connection as superuser, which may change what the owner and the service may not. */
export function openTamperer(service: TestService): Tamperer {
  const superuser: Sql = connectSuperuser(service.databaseUrl);
  return {
    async faultsAfter(change, { account = testAccount, sealed = true, since } = {}) {
      const undone = new Error('undone');
      const keys = sealed ? service.service.parts.sealer.keys : null;
      let faults: string[] = [];
      await superuser
        .begin(async (tx) => {
          await (typeof change === 'string' ? tx.unsafe(change) : change(tx));
          const found = await auditIn(tx, account, { keys, since: since ?? null });
          faults = found.map(({ what }) => what);
          throw undone;
        })
        .catch((error: unknown) => {
          if (error !== undone) throw error;
        });
      return faults;
    },
    end: () => superuser.end(),
  };
}
