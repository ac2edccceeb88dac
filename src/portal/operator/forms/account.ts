import { type Account, readAccount } from '../../../accounts/index.ts';
import type { Base } from '../../../platform/base.ts';
import { portalRefusal, type ServiceVisit } from '../../frame/index.ts';

interface AccountParts {
  base: Pick<Base, 'sql'>;
}

/** Returns the account in the address. Throws 404 if there is none. */
export async function accountOf(
  { params }: ServiceVisit,
  { base }: AccountParts,
): Promise<Account> {
  const { account: named, id = named ?? '' } = params;
  const account = /^[0-9A-F]{8}$/.test(id) ? await readAccount(base.sql, id) : null;
  if (account === null) throw portalRefusal('page.not_found', {});
  return account;
}

/** Returns the account in the address. Throws 404 if it is closed, because it cannot change. */
export async function openAccountOf(visit: ServiceVisit, parts: AccountParts): Promise<Account> {
  const account = await accountOf(visit, parts);
  if (account.state === 'closed') throw portalRefusal('page.not_found', {});
  return account;
}
