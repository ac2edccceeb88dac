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
  type Outcome,
  openedSchema,
  outcomeSchema,
  type RefundOutcome,
  refundOutcomeSchema,
  type TransferList,
  transferListSchema,
} from '../../connectors/protocol/messages.ts';
import { maskCardNumbers } from '../kernel/card-text.ts';

const manifest = Compile(manifestSchema);
const refundOutcome = Compile(refundOutcomeSchema);
const card = Compile(keptSchema);
const account = Compile(openedSchema);
const notice = Compile(noticeSchema);
const outcome = Compile(outcomeSchema);
const chargeList = Compile(chargeListSchema);
const transferList = Compile(transferListSchema);

const isManifest = (value: unknown): value is Manifest => manifest.Check(value);
const isChargeList = (value: unknown): value is ChargeList => chargeList.Check(value);
const isTransferList = (value: unknown): value is TransferList => transferList.Check(value);
const isOutcome = (value: unknown): value is Outcome => outcome.Check(value);

const isRefundOutcome = (value: unknown): value is RefundOutcome => refundOutcome.Check(value);
const isCardOutcome = (value: unknown): value is CardOutcome => card.Check(value);
const isAccountOutcome = (value: unknown): value is AccountOutcome => account.Check(value);
const isNotice = (value: unknown): value is Notice => notice.Check(value);

/** Texts of messages that people read: an acquirer's may name the card. */
const texts = ['text', 'alarm', 'reason'];

function withoutCards<T extends object>(told: T): T {
  const masked = Object.entries(told)
    .filter(([name, value]) => texts.includes(name) && typeof value === 'string')
    .map(([name, value]) => [name, maskCardNumbers(value)]);
  return masked.length === 0 ? told : { ...told, ...Object.fromEntries(masked) };
}

/**
 * Messages that are of the protocol, without card numbers in their texts; null: something else,
 * whatever it is.
 */
export const manifestIn = (value: unknown): Manifest | null => (isManifest(value) ? value : null);
export const outcomeIn = (value: unknown): Outcome | null =>
  isOutcome(value) ? withoutCards(value) : null;
export const refundOutcomeIn = (value: unknown): RefundOutcome | null =>
  isRefundOutcome(value) ? withoutCards(value) : null;
export const chargeListIn = (value: unknown): ChargeList | null =>
  isChargeList(value) ? value : null;
export const transferListIn = (value: unknown): TransferList | null =>
  isTransferList(value) ? value : null;
export const cardOutcomeIn = (value: unknown): CardOutcome | null =>
  isCardOutcome(value) ? withoutCards(value) : null;
export const accountOutcomeIn = (value: unknown): AccountOutcome | null =>
  isAccountOutcome(value) ? withoutCards(value) : null;
export const noticeIn = (value: unknown): Notice | null =>
  isNotice(value) ? withoutCards(value) : null;

/** Where a message departs from the protocol: paths of members, never their values. */
export const manifestFaults = (value: unknown): string[] =>
  [...manifest.Errors(value)].slice(0, 5).map(({ instancePath, message }) => {
    const place = instancePath === '' ? 'the manifest' : instancePath;
    return `${place} ${message}`;
  });
