export { cardBrands } from './card-brands.ts';
export {
  type CardKind,
  type CardKindOf,
  cardKinds,
  importBins,
  parseBins,
  readBins,
} from './card-kinds.ts';
export type {
  BankAccountInstrument,
  CardInstrument,
  Channel,
  Channels,
  Charge,
  ChargeOutcome,
  ChargeReference,
  GiveBack,
  Instrument,
  RefundOrder,
  RefundOutcome,
} from './channel.ts';
export {
  allChannelCodes,
  type ChannelCode,
  channelCodes,
  channels,
  type PayerChannel,
} from './codes.ts';
export {
  type Connections,
  type Identifiers,
  type Offer,
  offeredChannels,
  offerOf,
  type QrIdentity,
} from './offer.ts';
