export type { AdhesionInput } from './bank/schema.ts';
export { adhesionAnswer } from './bank/schema.ts';
export { openNumber } from './card/number.ts';
export { rewrapCards } from './card/rewrap.ts';
export { rewrapReplacedCards } from './card/rewrap-replaced.ts';
export { cardAdhesionAnswer } from './card/schema.ts';
export { rewrapTransportKey } from './card/transport-key.ts';
export { type EndMandate, endMandates } from './end.ts';
export type { FindMandate } from './get.ts';
export { maskedInstrument } from './letter.ts';
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
export type { AnswerMandate, Signer } from './sign.ts';
export { comments, lastDayToSign, mandateTransitions } from './states.ts';
export { holdMandates, mandateName } from './store.ts';
