import { createAccount, createKey, type KeyPermission } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import type { Answer, TestService } from '../harness/service.ts';

/** Creates a key on a running service, for the given account or a new one. */
export async function openAccount(
  { service }: TestService,
  permissions: KeyPermission[] = ['read', 'write', 'sandbox'],
  accountId: string | null = null,
): Promise<{ id: string; key: string }> {
  const { base, sandbox } = service.parts;
  const acting = { ...base, actor: testOperator };
  const terms = { id: null, name: 'Club', cuit: '30999999995', city: 'Rosario' };
  const id = accountId ?? (await createAccount(acting, terms)).id;
  const key = await createKey(acting, {
    id: await base.recordIds.next(),
    environment: sandbox ? 'sandbox' : 'production',
    accountId: id,
    name: 'test',
    permissions,
    expiresAt: null,
    secret: null,
  });
  return { id, key };
}

/** Returns the fields of a valid registration. */
export const registration = (url: string, event_types: unknown[] = ['payment_request.paid']) => ({
  webhook: { url, event_types },
});

export async function register(
  service: TestService,
  key: string,
  url: string,
  types?: unknown[],
): Promise<Answer['body']> {
  const answer = await service.call('POST', '/webhook', { key, body: registration(url, types) });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`);
  return answer.body;
}
