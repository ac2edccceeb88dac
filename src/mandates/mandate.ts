import type { CardBrand } from '../kernel/card-number.ts';
import type { LocalizedText } from '../language/localized-text.ts';
import type { OnFileReason } from '../money/channels/index.ts';
import type { Refusal } from '../platform/errors.ts';
import { refusal } from './codes.ts';

/** A mandate lets the collector debit the holder's bank account or card. */
export type MandateKind = 'adhesion' | 'card_adhesion';

export type MandateState = 'pending_to_sign' | 'signed' | 'canceled';

/** Evidence of a holder's answer. */
export interface Evidence {
  /** ISO 8601. */
  at: string;
  /** Network address and browser of the holder, or the name of the sandbox's signer. */
  address: string;
  user_agent: string;
  /** The text of the page that the holder saw. */
  text: string;
  /** Evidence of the revocation. */
  revoked?: Omit<Evidence, 'revoked'>;
}

/**
 * The configured banks and processors. Each method returns why none can carry the debits, or null.
 */
export interface DebitCarriers {
  bankFault(): LocalizedText | null;
  cardFault(card: { number: string; brand: CardBrand }): LocalizedText | null;
}

interface SharedDetails {
  metadata?: Record<string, unknown>;
}

export interface BankDetails extends SharedDetails {
  short_description: string;
  /** DNI, CUIT or CUIL, as digits. */
  holder_id_number: string;
}

export interface CardDetails extends SharedDetails {
  /** Absent until the holder enters the card at its connector. */
  brand?: CardBrand;
  /** Display name. */
  brand_name?: string;
  last_four?: string;
  /** Card on file: its last valid month, such as 2028-04. */
  expires?: string;
  /** Card on file: why its issuer closed it. Absent while it is open. */
  closed?: string;
  /** The kind of debits that the holder agreed to. Absent for recurring ones. */
  debit_reason?: OnFileReason;
}

interface SharedRow {
  account_id: string;
  id: number;
  state: MandateState;
  version: number;
  created_at: Temporal.Instant;
  sign_before: Temporal.Instant;
  /** Number of signing links issued. Only the last one is valid. */
  link_no: number;
  reference: string | null;
  /** The subscriber, adhesion_holder_name. */
  holder: string;
  email: string;
  description: string;
  /** The owner of the account or card. */
  payer: string;
  signed_at: Temporal.Instant | null;
  canceled_at: Temporal.Instant | null;
  state_comment: string | null;
}

export interface BankMandate extends SharedRow {
  kind: 'adhesion';
  cbu: string;
  details: BankDetails;
}

export interface CardMandate extends SharedRow {
  kind: 'card_adhesion';
  /** True if a connector stores the card and we never had its number. */
  keeps_card: boolean;
  /** Null if the number was erased or a connector stores it. */
  card_key_id: string | null;
  card_ciphertext: Buffer | null;
  details: CardDetails;
}

export type MandateRow = BankMandate | CardMandate;

export interface MandateKey {
  accountId: string;
  kind: MandateKind;
  id: number;
}

export const notThere = (kind: MandateKind): Refusal =>
  kind === 'adhesion' ? refusal('adhesion.not_found', {}) : refusal('card_adhesion.not_found', {});
