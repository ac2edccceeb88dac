import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { membershipsOf, roleOf } from './memberships.ts';
import { createHasher } from './password.ts';
import { prove } from './prove.ts';
import { endSession, findSession } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { createUser, findUser, type NewUser } from './user.ts';

/** What can be done with people and their sessions. */
export function createUserVerbs(base: Base) {
  const { sql } = base;
  const hasher = createHasher();
  const by = (actor: Actor) => ({ ...base, actor });
  return {
    create: (actor: Actor, input: NewUser) => createUser(by(actor), hasher, input),
    find: (email: string) => findUser(sql, email),
    roleOf: (accountId: string, userId: number) => roleOf(sql, { accountId, userId }),
    membershipsOf: (userId: number) => membershipsOf(sql, userId),
    signIn: signIn(base, hasher),
    prove: prove(base, hasher),
    findSession: (secret: string) => findSession(base, secret),
    endSession: (actor: Actor, session: { userId: number; id: number }) =>
      endSession(by(actor), session),
  };
}

export type UserVerbs = ReturnType<typeof createUserVerbs>;
