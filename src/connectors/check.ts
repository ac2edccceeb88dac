import { Compile } from 'typebox/compile';
import {
  type AccountOutcome,
  type CardOutcome,
  type ChargeList,
  chargeListSchema,
  keptSchema,
  type Manifest,
  manifestSchema,
  type Notice,
  noticeSchema,
  noticeTypes,
  type Outcome,
  openedSchema,
  outcomeSchema,
  type RefundOutcome,
  refundOutcomeSchema,
  type SettlementList,
  settlementListSchema,
  type TransferList,
  transferListSchema,
} from '../../connectors/protocol/messages.ts';
import { withoutUnknownKinds, withoutUnknownOffers, withoutUnknownWords } from './tolerant.ts';

const manifest = Compile(manifestSchema);
const refundOutcome = Compile(refundOutcomeSchema);
const card = Compile(keptSchema);
const account = Compile(openedSchema);
const notice = Compile(noticeSchema);
const outcome = Compile(outcomeSchema);
const chargeList = Compile(chargeListSchema);
const transferList = Compile(transferListSchema);
const settlementList = Compile(settlementListSchema);

const isManifest = (value: unknown): value is Manifest => manifest.Check(value);
const isChargeList = (value: unknown): value is ChargeList => chargeList.Check(value);
const isTransferList = (value: unknown): value is TransferList => transferList.Check(value);
const isSettlementList = (value: unknown): value is SettlementList => settlementList.Check(value);
const isOutcome = (value: unknown): value is Outcome => outcome.Check(value);

const isRefundOutcome = (value: unknown): value is RefundOutcome => refundOutcome.Check(value);
const isCardOutcome = (value: unknown): value is CardOutcome => card.Check(value);
const isAccountOutcome = (value: unknown): value is AccountOutcome => account.Check(value);
const isNotice = (value: unknown): value is Notice => notice.Check(value);

// Parsers of protocol messages. They return null for anything else. Card numbers in the texts were
// masked on arrival (`mask.ts`).

export function manifestIn(value: unknown): Manifest | null {
  const known = withoutUnknownOffers(value, noticeTypes);
  return isManifest(known) ? known : null;
}
export function outcomeIn(value: unknown): Outcome | null {
  const known = withoutUnknownWords(value);
  return isOutcome(known) ? known : null;
}
export const refundOutcomeIn = (value: unknown): RefundOutcome | null =>
  isRefundOutcome(value) ? value : null;
export const chargeListIn = (value: unknown): ChargeList | null =>
  isChargeList(value) ? value : null;
export const transferListIn = (value: unknown): TransferList | null =>
  isTransferList(value) ? value : null;
export function settlementListIn(value: unknown): SettlementList | null {
  const known = withoutUnknownKinds(value);
  return isSettlementList(known) ? known : null;
}
export const cardOutcomeIn = (value: unknown): CardOutcome | null =>
  isCardOutcome(value) ? value : null;
export const accountOutcomeIn = (value: unknown): AccountOutcome | null =>
  isAccountOutcome(value) ? value : null;
export const noticeIn = (value: unknown): Notice | null => (isNotice(value) ? value : null);

/** Returns the first violations of the protocol in a manifest: paths and rules, never values. */
export const manifestFaults = (value: unknown): string[] =>
  [...manifest.Errors(withoutUnknownOffers(value, noticeTypes))]
    .slice(0, 5)
    .map(({ instancePath, message }) => {
      const place = instancePath === '' ? 'the manifest' : instancePath;
      return `${place} ${message}`;
    });

/** Returns a notice's violations: an unknown type, or the first faulty members. */
export function noticeFaults(value: object): string[] {
  const type = 'type' in value ? value.type : undefined;
  const own = noticeSchema.anyOf.find(({ properties }) => properties.type.const === type);
  if (!own) return [`the type ${JSON.stringify(type)?.slice(0, 60)} is unknown`];
  return [...Compile(own).Errors(value)]
    .slice(0, 5)
    .map(({ instancePath, message }) => `${instancePath || type} ${message}`);
}
