import type { Base } from '../../platform/base.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { recordAccess } from '../accesses.ts';
import { noteUser } from '../note.ts';
import type { Site } from './passkey-answers.ts';
import { readPasskeyUse, takePasskey } from './passkeys.ts';
import type { SignInRules } from './rules.ts';
import type { SignedIn } from './sessions.ts';
import { countTry, forgiveTries } from './tries.ts';

export interface Credential {
  /** Returns true if the proof counts. Checks it in the transaction that it authorizes. */
  take(tx: Transaction, now: Temporal.Instant): Promise<boolean>;
  /** Data of the recorded event. */
  data?: Record<string, unknown>;
}

export interface Weighing {
  base: Base;
  rules: SignInRules;
}

/** The effect of a right proof. */
export interface Opens {
  /** The name under which attempts count. */
  person: string;
  type: 'user.factor_shown' | 'user.proved';
  write(tx: Transaction, now: Temporal.Instant): Promise<void>;
}

export type Weighed = { kind: 'right' } | { kind: 'wrong' } | { kind: 'too_many'; seconds: number };

/**
 * Checks a proof in a session. Counts the attempt before reading anything. A right proof is
 * consumed, takes effect and is recorded in one transaction. `read` returns null for a proof that
 * it already knows to be wrong.
 */
export async function weigh(
  { base, rules }: Weighing,
  { session, user }: SignedIn,
  { network, read }: { network: string; read: () => Promise<Credential | null> },
  { person, type, write }: Opens,
): Promise<Weighed> {
  const { sql, clocks, recordIds } = base;
  const tried = { address: network, person };
  const wait = await countTry(sql, tried, { now: clocks.wall.now(), rules });
  const failed = async (): Promise<void> =>
    recordAccess(base)({
      kind: 'factor_failed',
      accountId: null,
      userId: user.id,
      address: network,
      detail: type,
    });
  if (wait !== null) {
    await failed();
    return { kind: 'too_many', seconds: wait.seconds };
  }
  const proof = await read();
  if (proof === null) {
    await failed();
    return { kind: 'wrong' };
  }
  const now = clocks.wall.now();
  const eventId = await recordIds.next();
  const isRight = await sql.begin(async (tx) => {
    if (!(await proof.take(tx, now))) return false;
    await write(tx, now);
    await forgiveTries(tx, tried, rules);
    const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
    const data = { session: session.id, ...proof.data };
    await noteUser(tx, acting, { eventId, userId: user.id, type, data });
    return true;
  });
  if (!isRight) await failed();
  return { kind: isRight ? 'right' : 'wrong' };
}

/** Verifies a passkey's signature for this session. Returns null if it is wrong. */
export async function readPasskeyProof(
  base: Base,
  site: Site,
  who: SignedIn,
  answer: string,
): Promise<Credential | null> {
  const proof = await readPasskeyUse(base, site, who, answer);
  if (proof === null) return null;
  const [eventId = 0, mailId = 0] = await base.recordIds.take(2);
  return {
    take: (tx) =>
      takePasskey(tx, base.clocks, who.user, { shown: proof, ids: { eventId, mailId } }),
    data: { passkey: proof.id },
  };
}
