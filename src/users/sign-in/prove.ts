import type { Base } from '../../platform/base.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import { noteUser } from '../note.ts';
import { hasFactor, type User } from '../user.ts';
import { takeCode } from './factor.ts';
import type { Site } from './passkey-answers.ts';
import { readShown, takePasskey } from './passkeys.ts';
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

const personOf = ({ id }: User): string => `session ${id}`;

/** Notes that somebody proved who he is, where what he showed is right. */
async function note(
  { sql, clocks, recordIds }: Base,
  { session, user }: SignedIn,
  { network, data }: { network: string; data?: Record<string, unknown> },
  take: (tx: Transaction, now: Temporal.Instant) => Promise<boolean>,
): Promise<Proved> {
  const now = clocks.wall.now();
  const eventId = await recordIds.next();
  const proved = await sql.begin(async (tx) => {
    if (!(await take(tx, now))) return false;
    await tx`
      update user_sessions set proved_at = ${now}::timestamptz
      where user_id = ${user.id} and id = ${session.id}`;
    await forgiveTries(tx, { address: network, person: personOf(user) });
    const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
    const told = { session: session.id, ...data };
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.proved', data: told });
    return true;
  });
  return { kind: proved ? 'proved' : 'wrong' };
}

async function tried(base: Base, user: User, network: string): Promise<Proved | null> {
  const person = personOf(user);
  const seconds = await countTry(base.sql, { address: network, person }, base.clocks.wall.now());
  return seconds === null ? null : { kind: 'too_many', seconds };
}

/** Whoever is signed in proves again who he is, before what asks for it. */
export const prove =
  (base: Base, { hasher, vault }: { hasher: Hasher; vault: Vault }) =>
  async (who: SignedIn, { password, code, network }: Proof): Promise<Proved> => {
    const { user } = who;
    const late = await tried(base, user, network);
    if (late) return late;
    const [known] = await base.sql<{ password_hash: string | null }[]>`
      select password_hash from users where id = ${user.id}`;
    if (!(await hasher.matches(password, known?.password_hash ?? null))) return { kind: 'wrong' };
    return await note(
      base,
      who,
      { network },
      async (tx, now) => !hasFactor(user) || (await takeCode(tx, vault, { user, code, now })),
    );
  };

/** The same by a passkey, which proves by itself who holds it. */
export const proveByPasskey =
  (base: Base, site: Site) =>
  async (
    who: SignedIn,
    { answer, network }: { answer: string; network: string },
  ): Promise<Proved> => {
    const late = await tried(base, who.user, network);
    if (late) return late;
    const shown = await readShown(base, site, who, answer);
    if (shown === null) return { kind: 'wrong' };
    const [eventId = 0, mailId = 0] = await base.recordIds.take(2);
    const of = { shown, ids: { eventId, mailId } };
    return await note(base, who, { network, data: { passkey: shown.id } }, (tx) =>
      takePasskey(tx, base.clocks, who.user, of),
    );
  };
