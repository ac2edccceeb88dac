import { createAccount, createKey } from '../../../src/accounts/index.ts';
import { testOperator } from '../actors.ts';
import type { TestService } from '../service.ts';

/** Opens another account of the service, with a key that has all permissions by default. */
export async function anotherAccount(
  { service }: TestService,
  permissions: ('read' | 'write' | 'sandbox')[] = ['read', 'write', 'sandbox'],
): Promise<{ id: string; key: string }> {
  const { base } = service.parts;
  const acting = { ...base, actor: testOperator };
  const account = { id: null, name: 'Otra', cuit: '30999999995', city: 'Salta' };
  const { id } = await createAccount(acting, account);
  const key = await createKey(acting, {
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
