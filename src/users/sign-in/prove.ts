import type { Base } from '../../platform/base.ts';
import type { Vault } from '../../platform/vault.ts';
import { noteUser } from '../note.ts';
import { takeCode } from './factor.ts';
import type { Hasher } from './password.ts';
import type { SignedIn } from './sessions.ts';
import { countTry, forgiveTries } from './tries.ts';

export type Proved = { kind: 'proved' } | { kind: 'wrong' } | { kind: 'too_many'; seconds: number };

export interface Proof {
  password: string;
  /** Of the second factor, from who has one. */
  code: string;
  network: string;
}

/** Whoever is signed in proves again who he is, before what asks for it. */
export const prove =
  ({ sql, clocks, recordIds }: Base, { hasher, vault }: { hasher: Hasher; vault: Vault }) =>
  async ({ session, user }: SignedIn, { password, code, network }: Proof): Promise<Proved> => {
    const now = clocks.wall.now();
    const person = `session ${user.id}`;
    const seconds = await countTry(sql, { address: network, person }, now);
    if (seconds !== null) return { kind: 'too_many', seconds };
    const [known] = await sql<{ password_hash: string | null }[]>`
      select password_hash from users where id = ${user.id}`;
    if (!(await hasher.matches(password, known?.password_hash ?? null))) return { kind: 'wrong' };
    const eventId = await recordIds.next();
    const proved = await sql.begin(async (tx) => {
      if (user.totp_since !== null && !(await takeCode(tx, vault, { user, code, now }))) {
        return false;
      }
      await tx`
        update user_sessions set proved_at = ${now}::timestamptz
        where user_id = ${user.id} and id = ${session.id}`;
      await forgiveTries(tx, { address: network, person });
      const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
      const data = { session: session.id };
      await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.proved', data });
      return true;
    });
    return { kind: proved ? 'proved' : 'wrong' };
  };
