export type {
  Access,
  AccessKind,
  AccessRow,
} from './accesses.ts';
export {
  type AccountAct,
  type AccountRole,
  type Act,
  accountActs,
  accountRoles,
  isAccountAct,
  mayDo,
  ruleOf,
  type ServiceAct,
  type ServiceRole,
  serviceActs,
  serviceRoles,
} from './acts.ts';
export { isLinkKind, noAccount, peopleLinks } from './emails.ts';
export { membershipEvidence, userEvidence } from './evidence.ts';
export {
  type AccountPerson,
  countOperators,
  findOperator,
  type Member,
  membersOf,
  namesOf,
} from './listing.ts';
export {
  type Beginning,
  type Choice,
  choose,
  readWishes,
  wishesFormValues,
} from './notices/choose.ts';
export { type Deadline, mostDeadlineRecipients, notifyDeadlines } from './notices/deadlines.ts';
export { type Mark, notifyAccounts, type Since } from './notices/notify.ts';
export { noticeChoosing } from './notices/operations.ts';
export { type Topic, topicsFor } from './notices/topics.ts';
export {
  maxNotifiedOwners,
  notifyOwners,
  notifyOwnersLater,
  ownerNotices,
} from './notify.ts';
export {
  memberChanging,
  memberInvitingAgain,
  memberRemoving,
  operatorInviting,
  serviceRoleChanging,
  serviceRoleRemoving,
  userCreating,
  userInviting,
  userReleasing,
} from './operations.ts';
export { discover, readKeys } from './provider/discovery.ts';
export type { ProviderLink } from './provider/identities.ts';
export { type ProviderFault, type ProviderSettings, providerFaults } from './provider/settings.ts';
export { callbackPath } from './provider/sign-in.ts';
export type { FilterPlace, SavedFilter } from './saved-filters.ts';
export { countFactorsUnderOtherKeys, removeFactor, rewrapFactors } from './sign-in/factor.ts';
export type { Passkey } from './sign-in/passkeys.ts';
export { type PasswordCosts, type PasswordFault, passwordFault } from './sign-in/password.ts';
export type { SignInRules } from './sign-in/rules.ts';
export { isFresh, type Session, type SignedIn } from './sign-in/sessions.ts';
export { releaseUser, setStanding } from './standing.ts';
export { hasFactor, nameFault, type User } from './user.ts';
export { createUserVerbs, type UserVerbs } from './verbs.ts';
