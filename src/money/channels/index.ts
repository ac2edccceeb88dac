export { cardBrands } from './card-brands.ts';
export {
  type CardKind,
  type CardKindOf,
  cardKinds,
  importBins,
  parseBins,
  readBins,
} from './card-kinds.ts';
export {
  type AlarmKind,
  type BankAccountInstrument,
  type CardInstrument,
  type Channel,
  type Channels,
  type ChannelWish,
  type Charge,
  type ChargeAnswer,
  type ChargeOutcome,
  type ChargeReference,
  channelsTogether,
  type GiveBack,
  type Instrument,
  type Payer,
  type PayerAction,
  type PayerForm,
  type RefundOrder,
  type RefundOutcome,
  type Retry,
  soleChannel,
  type TokenInstrument,
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
