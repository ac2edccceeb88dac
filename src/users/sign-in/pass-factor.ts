import { randomBytes } from 'node:crypto';
import type { Base } from '../../platform/base.ts';
import { notFound } from '../../platform/errors.ts';
import type { Vault } from '../../platform/vault.ts';
import { noteUser } from '../note.ts';
import { takeCode } from './factor.ts';
import { hashOf, type SignedIn } from './sessions.ts';
import { countTry, forgiveTries } from './tries.ts';

export type Passed =
  | { kind: 'in'; secret: string }
  | { kind: 'wrong' }
  | { kind: 'too_many'; seconds: number };

/** Shows the second factor of a session that waits for it, which gets a new secret with it. */
export const passFactor =
  ({ sql, clocks, recordIds }: Base, vault: Vault) =>
  async (
    { session, user }: SignedIn,
    { code, network }: { code: string; network: string },
  ): Promise<Passed> => {
    const now = clocks.wall.now();
    const person = `factor ${user.id}`;
    const seconds = await countTry(sql, { address: network, person }, now);
    if (seconds !== null) return { kind: 'too_many', seconds };
    const eventId = await recordIds.next();
    const secret = randomBytes(32).toString('base64url');
    const passed = await sql.begin(async (tx) => {
      if (!(await takeCode(tx, vault, { user, code, now }))) return false;
      const rows = await tx`
        update user_sessions set hash = ${hashOf(secret)}, factor_due = false,
          proved_at = ${now}::timestamptz
        where user_id = ${user.id} and id = ${session.id} and factor_due returning id`;
      if (rows.length === 0) throw notFound('session that waits for it');
      await forgiveTries(tx, { address: network, person });
      const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
      const data = { session: session.id };
      await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.factor_shown', data });
      return true;
    });
    return passed ? { kind: 'in', secret } : { kind: 'wrong' };
  };
