import { createAccount, createKey } from '../../../src/accounts/index.ts';
import { auditWriter } from '../../../src/composition/base.ts';
import { testOperator } from '../actors.ts';
import type { TestService } from '../service.ts';

/** Another account of the service, with a key that may do everything, or what it is told. */
export async function anotherAccount(
  { service }: TestService,
  permissions: ('read' | 'write' | 'sandbox')[] = ['read', 'write', 'sandbox'],
): Promise<{ id: string; key: string }> {
  const { base, clocks } = service.parts;
  const audit = auditWriter(base, testOperator);
  const account = { id: null, name: 'Otra', cuit: '30999999995', city: 'Salta' };
  const { id } = await createAccount(base.sql, clocks, audit, account);
  const key = await createKey(base.sql, clocks, audit, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: id,
    name: 'test',
    permissions,
    expiresAt: null,
    secret: null,
  });
  return { id, key };
}
