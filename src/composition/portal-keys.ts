import {
  createKey,
  listKeys,
  type NewKey,
  type Rotated,
  restrictKey,
  revokeKey,
  rotateKey,
} from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { UserVerbs } from '../users/index.ts';

interface Place {
  id: string;
  name: string;
}

interface NamedKey {
  id: number;
  account: Place;
  name: string;
}

/** Builds API keys for the portal. Notifies the account's owners of each change. */
export function createPortalKeys(
  base: Base,
  { ENVIRONMENT: environment }: Pick<Config, 'ENVIRONMENT'>,
  { ownerNotices }: Pick<UserVerbs, 'ownerNotices'>,
) {
  return {
    list: (accountId: string) => listKeys(base.sql, accountId),
    draw: () => base.recordIds.next(),
    async create(
      actor: Actor,
      { account, ...key }: Omit<NewKey, 'accountId' | 'secret'> & NamedKey,
    ): Promise<string> {
      const notices = await ownerNotices(account, { what: 'key_created', name: key.name });
      const input = { ...key, accountId: account.id, environment, secret: null };
      return await createKey({ ...base, actor }, input, notices);
    },
    async restrict(
      actor: Actor,
      { id, account, name, ranges }: NamedKey & { ranges: readonly string[] },
    ): Promise<boolean> {
      const notices = await ownerNotices(account, { what: 'key_restricted', name });
      return await restrictKey({ ...base, actor }, { accountId: account.id, id, ranges }, notices);
    },
    async rotate(
      actor: Actor,
      { id, account, name, overlap }: NamedKey & { overlap: number },
    ): Promise<Rotated> {
      const notices = await ownerNotices(account, { what: 'key_rotated', name });
      const rotation = { accountId: account.id, id, environment, overlap };
      return await rotateKey({ ...base, actor }, rotation, notices);
    },
    async revoke(actor: Actor, { id, account, name }: NamedKey): Promise<void> {
      const notices = await ownerNotices(account, { what: 'key_revoked', name });
      await revokeKey({ ...base, actor }, { accountId: account.id, id }, notices);
    },
  };
}
