import { randomBytes } from 'node:crypto';
import type { Base } from '../../platform/base.ts';
import { notFound } from '../../platform/errors.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import { noteUser } from '../note.ts';
import type { User } from '../user.ts';
import { takeCode } from './factor.ts';
import type { Site } from './passkey-answers.ts';
import { readShown, takePasskey } from './passkeys.ts';
import { hashOf, type SignedIn } from './sessions.ts';
import { countTry, forgiveTries } from './tries.ts';

export type Passed =
  | { kind: 'in'; secret: string }
  | { kind: 'wrong' }
  | { kind: 'too_many'; seconds: number };

/** Whether what was shown is right, decided in the transaction of what it opens. */
type Take = (tx: Transaction, now: Temporal.Instant) => Promise<boolean>;

interface Shown {
  network: string;
  /** Which factor it is, for the record. */
  data?: Record<string, unknown>;
}

/** Opens a session that waits for its second factor; it gets a new secret with it. */
async function open(
  { sql, clocks, recordIds }: Base,
  { session, user }: SignedIn,
  { network, data }: Shown,
  take: Take,
): Promise<Passed> {
  const now = clocks.wall.now();
  const eventId = await recordIds.next();
  const secret = randomBytes(32).toString('base64url');
  const passed = await sql.begin(async (tx) => {
    if (!(await take(tx, now))) return false;
    const rows = await tx`
      update user_sessions set hash = ${hashOf(secret)}, factor_due = false,
        proved_at = ${now}::timestamptz
      where user_id = ${user.id} and id = ${session.id} and factor_due returning id`;
    if (rows.length === 0) throw notFound('session that waits for it');
    await forgiveTries(tx, { address: network, person: personOf(user) });
    const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
    const note = { session: session.id, ...data };
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.factor_shown', data: note });
    return true;
  });
  return passed ? { kind: 'in', secret } : { kind: 'wrong' };
}

const personOf = ({ id }: User): string => `factor ${id}`;

/** Counts a try before it is looked at; what is answered where there were too many. */
async function tried(base: Base, user: User, network: string): Promise<Passed | null> {
  const person = personOf(user);
  const seconds = await countTry(base.sql, { address: network, person }, base.clocks.wall.now());
  return seconds === null ? null : { kind: 'too_many', seconds };
}

/** Shows a code to a session that waits for the second factor. */
export const passFactor =
  (base: Base, vault: Vault) =>
  async (who: SignedIn, { code, network }: { code: string; network: string }): Promise<Passed> => {
    const { user } = who;
    const late = await tried(base, user, network);
    if (late) return late;
    return await open(base, who, { network }, (tx, now) =>
      takeCode(tx, vault, { user, code, now }),
    );
  };

/** Shows a passkey to it. */
export const passByPasskey =
  (base: Base, site: Site) =>
  async (
    who: SignedIn,
    { answer, network }: { answer: string; network: string },
  ): Promise<Passed> => {
    const late = await tried(base, who.user, network);
    if (late) return late;
    const shown = await readShown(base, site, who, answer);
    if (shown === null) return { kind: 'wrong' };
    const [eventId = 0, mailId = 0] = await base.recordIds.take(2);
    const of = { shown, ids: { eventId, mailId } };
    return await open(base, who, { network, data: { passkey: shown.id } }, (tx) =>
      takePasskey(tx, base.clocks, who.user, of),
    );
  };
