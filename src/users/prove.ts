import type { Base } from '../platform/base.ts';
import { noteUser } from './note.ts';
import type { Hasher } from './password.ts';
import type { SignedIn } from './sessions.ts';
import { countTry, forgiveTries } from './tries.ts';

export type Proved = { kind: 'proved' } | { kind: 'wrong' } | { kind: 'too_many'; seconds: number };

/** Whoever is signed in proves again who he is, before what asks for it. */
export const prove =
  ({ sql, clocks, recordIds }: Base, hasher: Hasher) =>
  async (
    { session, user }: SignedIn,
    { password, network }: { password: string; network: string },
  ): Promise<Proved> => {
    const now = clocks.wall.now();
    const person = `session ${user.id}`;
    const seconds = await countTry(sql, { address: network, person }, now);
    if (seconds !== null) return { kind: 'too_many', seconds };
    const [known] = await sql<{ password_hash: string | null }[]>`
      select password_hash from users where id = ${user.id}`;
    if (!(await hasher.matches(password, known?.password_hash ?? null))) return { kind: 'wrong' };
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      await tx`
        update user_sessions set proved_at = ${now}::timestamptz
        where user_id = ${user.id} and id = ${session.id}`;
      await forgiveTries(tx, person);
      const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
      const data = { session: session.id };
      await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.proved', data });
    });
    return { kind: 'proved' };
  };
