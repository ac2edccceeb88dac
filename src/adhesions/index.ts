export type { AdhesionInput } from './bank/schema.ts';
export { adhesionAnswer } from './bank/schema.ts';
export { openNumber } from './card/number.ts';
export { rewrapCards } from './card/rewrap.ts';
export { cardAdhesionAnswer } from './card/schema.ts';
export { rewrapTransportKey } from './card/transport-key.ts';
export type { EndMandate } from './end.ts';
export type { FindMandate } from './get.ts';
export { maskedInstrument } from './letter.ts';
export type {
  BankMandate,
  CardMandate,
  MandateKey,
  MandateKind,
  MandateRow,
} from './mandate.ts';
export { type AdhesionParts, type Adhesions, openAdhesions } from './open.ts';
export { presentMandate } from './present.ts';
export { adhesionRoutes } from './routes.ts';
export type { AnswerMandate, Signer } from './sign.ts';
export { comments, mandateTransitions } from './states.ts';
export { holdMandates, mandateName } from './store.ts';
