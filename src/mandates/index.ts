export type { AdhesionInput } from './bank/schema.ts';
export { adhesionAnswer } from './bank/schema.ts';
export { eraseCard, nextToErase, postponeErasure, readToErase } from './card/erase.ts';
export { openNumber } from './card/number.ts';
export { rewrapCards } from './card/rewrap.ts';
export { rewrapReplacedCards } from './card/rewrap-replaced.ts';
export { cardAdhesionAnswer } from './card/schema.ts';
export { rewrapTransportKeys } from './card/transport-key-store.ts';
export { type EndMandate, endMandates } from './end.ts';
export { instrumentEvidence, mandateEvidence } from './evidence.ts';
export type { FindMandate } from './get.ts';
export { type Letter, maskedInstrument, signingLinks } from './letter.ts';
export type {
  BankMandate,
  CardMandate,
  Evidence,
  MandateKey,
  MandateKind,
  MandateRow,
  MandateState,
} from './mandate.ts';
export { type AdhesionParts, type Adhesions, openAdhesions } from './open.ts';
export { presentMandate } from './present.ts';
export { type RemindHolder, remindHolders } from './remind.ts';
export { type NewInstrument, type ReplaceInstrument, replaceInstrument } from './replace.ts';
export { adhesionRoutes } from './routes.ts';
export { type MandateSearch, searchMandates } from './search.ts';
export type { AnswerMandate, Signer } from './sign.ts';
export { comments, lastDayToSign, mandateTransitions } from './states.ts';
export { hasSigned, holdMandates, lastSignBefore, lockMandate, mandateName } from './store.ts';
