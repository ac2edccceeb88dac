export {
  type AccountAct,
  type AccountRole,
  type Act,
  isAccountAct,
  mayDo,
  ruleOf,
  type ServiceAct,
  type ServiceRole,
} from './acts.ts';
export { membershipEvidence } from './evidence.ts';
export { isFresh, type Session, type SignedIn } from './sessions.ts';
export type { User } from './user.ts';
export { createUserVerbs, type UserVerbs } from './verbs.ts';
