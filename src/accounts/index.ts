export {
  type Account,
  accountIdsOf,
  accountNames,
  getAccount,
  highestLimit,
  listAccounts,
  operatorBooks,
  readAccount,
} from './account.ts';
export {
  approveLook,
  type Changed,
  changeLook,
  type LookChange,
  type LookDecision,
  readLogo,
  rejectLook,
} from './appearance/change.ts';
export { emailHeadOf, issuerOf, logoPath } from './appearance/issuer.ts';
export {
  appearanceFormValues,
  isName,
  type Look,
  longest,
  type Profile,
  type ProfileField,
  profileFaults,
  profileFields,
  profileFormValues,
} from './appearance/look.ts';
export {
  listPendingLooks,
  type PendingLook,
  readPendingLogo,
  readPendingLook,
  type WaitingLook,
  withChanges,
} from './appearance/pending.ts';
export {
  largestLogo,
  type Picture,
  type PictureFault,
  readPicture,
} from './appearance/picture.ts';
export { printedLogos } from './appearance/printed.ts';
export { type Authenticator, createAuthenticator, type GuessLimit } from './authenticate.ts';
export {
  type CallFilters,
  type CallPlace,
  type FoundCall,
  findCalls,
} from './calls/find.ts';
export { type CallLog, createCallLog } from './calls/record.ts';
export { refusal as accountRefusal } from './codes.ts';
export {
  type ConnectorChange,
  connectorAccounts,
  connectorFormValues,
  readConnectorSettings,
  setConnectorSettings,
} from './connector-settings.ts';
export { accountEvidence, keyEvidence } from './evidence.ts';
export { hasSeveralAccounts } from './find.ts';
export { accountCreating, accountOpening, accountSetting } from './holder/operations.ts';
export {
  type ApiKey,
  createKey,
  keyRevokedTopic,
  listKeys,
  type NewKey,
  restrictKey,
  revokeKey,
} from './keys/keys.ts';
export {
  type CreateKey,
  keyCreating,
  keyList,
  keyRestricting,
  keyRevoking,
  keyRotating,
} from './keys/operations.ts';
export { overlapTime } from './keys/overlap.ts';
export { addressRanges, mostRanges } from './keys/ranges.ts';
export { type Rotated, rotateKey } from './keys/rotate.ts';
export { noteAccount } from './note.ts';
export { createAccount, drawAccountId, type NewAccount } from './open.ts';
export {
  accountClosing,
  accountList,
  accountRenaming,
  accountReopening,
  accountSuspending,
  cbuAsking,
  cbuCanceling,
  lookApproving,
  lookRejecting,
  lookWithdrawing,
} from './operations.ts';
export {
  adoptPayoutCbus,
  askPayoutCbu,
  cancelPayoutCbu,
  cbuWait,
  type PayoutCbu,
  readPayoutCbu,
} from './payout-cbu.ts';
export {
  allPermissions,
  type KeyPermission,
  type PermissionPreset,
  permissionPresets,
  widePermissions,
} from './permissions.ts';
export {
  closedAccounts,
  cuitOf,
  everyAccount,
  isActive,
  joinAccounts,
  raiseVersion,
  returnsLateApprovals,
} from './relations.ts';
export {
  type AccountLimits,
  type AccountSettings,
  readLimitsOf,
  readSettings,
  renameAccount,
  setAccount,
  settingsFormValues,
} from './settings.ts';
export {
  type AccountMove,
  type AccountState,
  accountStates,
  type LockedAccount,
  lockAccount,
  moveAccount,
  notActive,
  refuseUnlessActive,
  takesPayments,
} from './standing.ts';
