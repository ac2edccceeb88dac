export { checkMandates } from './audit.ts';
export { type BankMandateInput, bankMandateForm } from './bank/schema.ts';
export { type FindReferenced, findReferenced } from './by-reference.ts';
export {
  eraseCard,
  nextToErase,
  postponeErasure,
  readToErase,
  type ToErase,
} from './card/erase.ts';
export { decryptNumber } from './card/number.ts';
export type { CardWay, HandedOver, StoredCards } from './card/on-file.ts';
export type { LookAtCard } from './card/on-file-changes.ts';
export { lockStoredCard, noteNetworkId } from './card/on-file-store.ts';
export { rewrapCards } from './card/rewrap.ts';
export { rewrapReplacedCards } from './card/rewrap-replaced.ts';
export { cardMandateForm } from './card/schema.ts';
export { rewrapTransportKeys } from './card/transport-key-store.ts';
export { countUnderOtherKeys } from './card/under-other-keys.ts';
export { endMandatesOfClosed } from './closed.ts';
export { type EndMandate, endMandates } from './end.ts';
export { instrumentEvidence, mandateEvidence, storedCardEvidence } from './evidence.ts';
export { type FindMandate, findMandates } from './get.ts';
export { maskedInstrument } from './instrument.ts';
export type {
  BankMandate,
  CardMandate,
  Evidence,
  MandateKey,
  MandateKind,
  MandateRow,
  MandateState,
} from './mandate.ts';
export { notThere as mandateNotThere } from './mandate.ts';
export { moveInMandates, type SignedElsewhere } from './move-in.ts';
export {
  type FoundMandates,
  findMandatesByWords,
  firstPlace,
  type MandatePlace,
} from './newest.ts';
export { createMandateVerbs, type MandateParts, type MandateVerbs } from './open.ts';
export {
  bankMandateCanceling,
  cardMandateCanceling,
  idNumberOf,
  letterResending,
  linkRenewing,
  mandateReminding,
} from './operations.ts';
export {
  eraseMandates,
  exportMandates,
  holdPersonalMandates,
  type PersonalMandate,
  personalMandates,
} from './personal.ts';
export { presentMandate } from './present.ts';
export {
  findNamedMandates,
  instrumentColumns,
  joinInstruments,
  joinMandates,
  type NamedMandate,
  namedMandateColumns,
  unsignedMandates,
} from './relations.ts';
export { type RemindHolder, remindHolders } from './remind.ts';
export { type NewInstrument, type ReplaceInstrument, replaceInstrument } from './replace.ts';
export { findMandateReferences, type MandateSearch, searchMandates } from './search.ts';
export type { AnswerMandate, Signer } from './sign.ts';
export { type SigningEmail, signingLinks } from './signing-email.ts';
export { comments, lastDayToSign, mandateTransitions } from './states.ts';
export {
  hasSigned,
  lastSignBefore,
  linkStillPending,
  lockMandate,
  lockMandates,
  mandateName,
} from './store.ts';
export { countUnsigned } from './unsigned.ts';
