import { randomBytes } from 'node:crypto';
import type { Vault } from '../../platform/vault.ts';
import { refusal } from '../codes.ts';
import { takeCode } from './factor.ts';
import type { Site } from './passkey-answers.ts';
import { hashOf, type SignedIn } from './sessions.ts';
import { type Credential, readPasskeyProof, type Weighed, type Weighing, weigh } from './show.ts';

export type Passed = { kind: 'in'; secret: string } | Exclude<Weighed, { kind: 'right' }>;

/**
 * Completes a session's second factor, and gives the session a new secret. Throws 404 if the
 * session no longer awaits one.
 */
async function pass(
  weighing: Weighing,
  who: SignedIn,
  attempt: { network: string; read: () => Promise<Credential | null> },
): Promise<Passed> {
  const { session, user } = who;
  const secret = randomBytes(32).toString('base64url');
  const weighed = await weigh(weighing, who, attempt, {
    person: `factor ${user.id}`,
    type: 'user.factor_shown',
    async write(tx, now) {
      const rows = await tx`
        update user_sessions set hash = ${hashOf(secret)}, factor_due = false,
          proved_at = ${now}::timestamptz
        where user_id = ${user.id} and id = ${session.id} and factor_due returning id`;
      if (rows.length === 0) throw refusal('session.not_found', {});
    },
  });
  return weighed.kind === 'right' ? { kind: 'in', secret } : weighed;
}

export const passFactor =
  (weighing: Weighing, vault: Vault) =>
  (who: SignedIn, { code, network }: { code: string; network: string }): Promise<Passed> =>
    pass(weighing, who, {
      network,
      read: async () => ({
        take: (tx, now) => takeCode(tx, vault, { user: who.user, code, now }),
      }),
    });

export const passByPasskey =
  (weighing: Weighing, site: Site) =>
  (who: SignedIn, { answer, network }: { answer: string; network: string }): Promise<Passed> =>
    pass(weighing, who, {
      network,
      read: () => readPasskeyProof(weighing.base, site, who, answer),
    });
