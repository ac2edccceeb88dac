import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** Adding a passkey, or using one. */
export type ChallengePurpose = 'add' | 'show';

export interface ChallengeOf {
  sessionId: number;
  purpose: ChallengePurpose;
}

const livesFor = { minutes: 5 } as const;
export const challengeMs = 5 * 60_000;
const forgottenAtOnce = 100;

/** Creates a session's challenge for an authenticator. Invalidates the former one. */
export async function drawChallenge(
  sql: Queryable,
  { sessionId, purpose }: ChallengeOf,
  now: Temporal.Instant,
): Promise<Buffer> {
  const challenge = randomBytes(32);
  await sql`
    delete from user_challenges where (session_id, purpose) in (
      select session_id, purpose from user_challenges where expires_at <= ${now}::timestamptz
      order by expires_at limit ${forgottenAtOnce} for update skip locked)`;
  await sql`
    insert into user_challenges (session_id, purpose, challenge, expires_at)
    values (${sessionId}, ${purpose}, ${challenge}, ${now.add(livesFor)}::timestamptz)
    on conflict (session_id, purpose) do update
    set challenge = excluded.challenge, expires_at = excluded.expires_at`;
  return challenge;
}

/**
 * Consumes the challenge, whether or not the signature is right. Only one of two concurrent calls
 * gets it. Returns null if there is none, or it has expired.
 */
export async function takeChallenge(
  sql: Queryable,
  { sessionId, purpose }: ChallengeOf,
  now: Temporal.Instant,
): Promise<Buffer | null> {
  const [row] = await sql<{ challenge: Buffer; lives: boolean }[]>`
    delete from user_challenges where session_id = ${sessionId} and purpose = ${purpose}
    returning challenge, expires_at > ${now}::timestamptz as lives`;
  return row?.lives ? row.challenge : null;
}
