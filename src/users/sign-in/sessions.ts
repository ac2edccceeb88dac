import { hash, randomBytes } from 'node:crypto';
import type { Acting, Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { noteUser } from '../note.ts';
import { type User, userColumns, userIn } from '../user.ts';
import type { SignInRules } from './rules.ts';

/** Maximum age of a session. */
export const longest = { hours: 12 } as const;
/** Validity of a proof of identity. */
export const freshFor = { minutes: 10 } as const;
/** Maximum number of sessions per user. A new one ends the oldest. */
const mostSessions = 20;
/** Minimum interval between writes of a session's last use. */
const seenEvery = { minutes: 1 } as const;

export interface Browser {
  address: string;
  userAgent: string;
}

export interface Session {
  id: number;
  user_id: number;
  created_at: Temporal.Instant;
  seen_at: Temporal.Instant;
  proved_at: Temporal.Instant;
  address: string;
  user_agent: string;
  /** True before the second factor, when the session has no rights yet. */
  factor_due: boolean;
  /** True if a provider vouched for a second factor. */
  provider_factor: boolean;
}

export interface SignedIn {
  session: Session;
  user: User;
}

export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

export interface NewSession {
  id: number;
  userId: number;
  browser: Browser;
  /** True before the second factor. */
  factorDue: boolean;
  /** When the person authenticated. Default: now. Null if unknown, so that no proof is fresh. */
  provedAt?: Temporal.Instant | null;
  /** True if a provider vouched for a second factor. */
  providerFactor?: boolean;
}

/** Opens a session and returns its secret. Only its hash is stored. */
export async function openSession(
  tx: Queryable,
  { id, userId, browser, factorDue, provedAt, providerFactor = false }: NewSession,
  now: Temporal.Instant,
): Promise<string> {
  const proved = provedAt === undefined ? now : (provedAt ?? now.subtract(freshFor));
  const secret = randomBytes(32).toString('base64url');
  await tx`
    delete from user_sessions where hash in (
      select hash from user_sessions where user_id = ${userId}
      order by created_at desc offset ${mostSessions - 1})
    or (user_id = ${userId} and created_at < ${now.subtract(longest)}::timestamptz)`;
  await tx`
    insert into user_sessions (hash, id, user_id, created_at, seen_at, proved_at, address,
      user_agent, factor_due, provider_factor)
    values (${hashOf(secret)}, ${id}, ${userId}, ${now}::timestamptz, ${now}::timestamptz,
      ${proved}::timestamptz, ${browser.address}, ${browser.userAgent.slice(0, 300)},
      ${factorDue}, ${providerFactor})`;
  return secret;
}

const lives = (
  sql: Queryable,
  { idleMinutes }: SignInRules,
  now: Temporal.Instant,
): ReturnType<Queryable> => sql`
  s.created_at > ${now.subtract(longest)}::timestamptz
    and s.seen_at > ${now.subtract({ minutes: idleMinutes })}::timestamptz`;

const sessionColumns = (sql: Queryable): ReturnType<Queryable> => sql`
  s.id as session_id, s.user_id, s.created_at as session_created_at, s.seen_at, s.proved_at,
  s.address, s.user_agent, s.factor_due, s.provider_factor`;

interface SessionRow extends User, Omit<Session, 'id' | 'created_at'> {
  session_id: number;
  session_created_at: Temporal.Instant;
}

const sessionIn = (row: SessionRow): Session => ({
  id: row.session_id,
  user_id: row.user_id,
  created_at: row.session_created_at,
  seen_at: row.seen_at,
  proved_at: row.proved_at,
  address: row.address,
  user_agent: row.user_agent,
  factor_due: row.factor_due,
  provider_factor: row.provider_factor,
});

/**
 * Returns the session of a secret with its user, and records its use. Returns null if there is
 * none, it has expired, or the user is not active.
 */
export async function findSession(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  rules: SignInRules,
  secret: string,
): Promise<SignedIn | null> {
  const now = clocks.wall.now();
  const [row] = await sql<SessionRow[]>`
    select ${userColumns(sql)}, ${sessionColumns(sql)}
    from user_sessions s join users u on u.id = s.user_id
    where s.hash = ${hashOf(secret)} and u.state = 'active' and ${lives(sql, rules, now)}`;
  if (!row) return null;
  if (Temporal.Instant.compare(row.seen_at.add(seenEvery), now) < 0) {
    await sql`
      update user_sessions set seen_at = ${now}::timestamptz where hash = ${hashOf(secret)}`;
  }
  return { session: sessionIn(row), user: userIn(row) };
}

export const isFresh = ({ proved_at }: Session, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(proved_at.add(freshFor), now) > 0;

/** Ends all sessions of a user, in the transaction of the change that requires it. */
export async function endAllSessions(tx: Queryable, userId: number): Promise<void> {
  await tx`delete from user_sessions where user_id = ${userId}`;
}

/** Lists a user's live sessions, latest first. */
export async function listSessions(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  rules: SignInRules,
  userId: number,
): Promise<Session[]> {
  return await sql<Session[]>`
    select s.id, s.user_id, s.created_at, s.seen_at, s.proved_at, s.address, s.user_agent,
      s.factor_due, s.provider_factor
    from user_sessions s where s.user_id = ${userId} and ${lives(sql, rules, clocks.wall.now())}
    order by s.created_at desc`;
}

/** Ends a user's session. Returns false if there is none. */
export async function endSession(
  acting: Acting,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    const rows = await tx`
      delete from user_sessions where user_id = ${userId} and id = ${id} returning id`;
    if (rows.length === 0) return false;
    const data = { session: id };
    await noteUser(tx, acting, { eventId, userId, type: 'user.signed_out', data });
    return true;
  });
}
