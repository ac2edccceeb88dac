import { allPermissions, createAccount, createKey } from '../../src/accounts/index.ts';
import { createBase } from '../../src/composition/base.ts';
import { system } from '../../src/platform/actor.ts';
import { createLog } from '../../src/platform/log.ts';
import { connect } from '../../src/platform/postgres/connect.ts';
import { apiKey, type Lab } from './lab.ts';
import { accountId } from './rows.ts';

/** An account and one of its keys, with all permissions. */
export interface Member {
  accountId: string;
  key: string;
}

/** Opens the benchmark's account and others, each with a key, through the service's own verbs. */
export async function openAccounts(lab: Lab, count: number): Promise<Member[]> {
  const sql = connect(lab.url, { max: 2, applicationName: 'recaudo bench accounts' });
  lab.cleanup.defer(() => sql.end({ timeout: 5 }));
  const { base } = await createBase(sql, createLog('silent'));
  const acting = { ...base, actor: system };
  const members: Member[] = [{ accountId, key: apiKey }];
  for (let no = 2; no <= count; no += 1) {
    const id = `BE5C${String(no).padStart(4, '0')}`;
    await createAccount(acting, { id, name: `Mutual ${no}`, cuit: '30999999995', city: 'Rosario' });
    const key = `rk_test_benchmark_account_${no}`;
    await createKey(acting, {
      id: await base.recordIds.next(),
      environment: 'sandbox',
      accountId: id,
      name: 'bench',
      permissions: [...allPermissions],
      expiresAt: null,
      secret: key,
    });
    members.push({ accountId: id, key });
  }
  return members;
}
