import type { Vault } from '../../platform/vault.ts';
import { emailKeyOf, hasFactor, type User } from '../user.ts';
import { takeCode } from './factor.ts';
import type { Site } from './passkey-answers.ts';
import type { Hasher } from './password.ts';
import type { SignedIn } from './sessions.ts';
import { type Credential, readPasskeyProof, type Weighed, type Weighing, weigh } from './show.ts';
import { passwordOf, readKnown } from './sign-in.ts';

export type Proved = { kind: 'proved' } | Exclude<Weighed, { kind: 'right' }>;

export interface Proof {
  password: string;
  /** The second factor's code, for users who have one. */
  code: string;
  network: string;
}

/** Checks a proof of identity, and records it if it is right. */
async function note(
  weighing: Weighing,
  who: SignedIn,
  attempt: { network: string; read: () => Promise<Credential | null> },
): Promise<Proved> {
  const { session, user } = who;
  const weighed = await weigh(weighing, who, attempt, {
    person: `session ${user.id}`,
    type: 'user.proved',
    async write(tx, now) {
      await tx`
        update user_sessions set proved_at = ${now}::timestamptz
        where user_id = ${user.id} and id = ${session.id}`;
    },
  });
  return weighed.kind === 'right' ? { kind: 'proved' } : weighed;
}

/** Returns the hash of the password with which the user may prove their identity, or null. */
const provingPassword = async (
  { base, rules }: Weighing,
  { email }: User,
): Promise<string | null> =>
  rules.passwords ? passwordOf(await readKnown(base.sql, emailKeyOf(email)), rules) : null;

/** Returns true if the user has a password that proves their identity. */
export const mayProveByPassword = (weighing: Weighing) => async (user: User) =>
  (await provingPassword(weighing, user)) !== null;

/** Verifies a signed-in person's identity again, before operations that require it. */
export const prove =
  (weighing: Weighing, { hasher, vault }: { hasher: Hasher; vault: Vault }) =>
  (who: SignedIn, { password, code, network }: Proof): Promise<Proved> => {
    const { user } = who;
    return note(weighing, who, {
      network,
      async read() {
        if (!weighing.rules.passwords) return null;
        const stored = await provingPassword(weighing, user);
        if (!(await hasher.matches(password, stored, `user ${user.id}`))) return null;
        return {
          take: async (tx, now) =>
            !hasFactor(user) || (await takeCode(tx, vault, { user, code, now })),
        };
      },
    });
  };

/** Verifies the identity with a passkey, which suffices alone. */
export const proveByPasskey =
  (weighing: Weighing, site: Site) =>
  (who: SignedIn, { answer, network }: { answer: string; network: string }): Promise<Proved> =>
    note(weighing, who, {
      network,
      read: () => readPasskeyProof(weighing.base, site, who, answer),
    });
