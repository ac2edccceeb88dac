import { bankOf } from '../kernel/banks.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { monthText } from './card/on-file-changes.ts';
import type { PublicTransportKey } from './card/transport-key.ts';
import type { BankMandate, CardMandate, MandateRow } from './mandate.ts';

const head = (row: MandateRow) => ({
  id: row.id,
  state: row.state,
  created_at: isoDateTime(row.created_at),
  adhesion_holder_name: row.holder,
  ...(row.reference !== null && { external_reference: row.reference }),
  email: row.email,
});

const tail = (row: MandateRow) => ({
  ...(row.details.metadata && { metadata: row.details.metadata }),
  ...(row.signed_at && { signed_at: isoDateTime(row.signed_at) }),
  ...(row.canceled_at && { canceled_at: isoDateTime(row.canceled_at) }),
  ...(row.state_comment !== null && { state_comment: row.state_comment }),
});

const presentBank = (row: BankMandate) => ({
  ...head(row),
  cbu_number: row.cbu,
  cbu_holder_name: row.payer,
  cbu_holder_id_number: Number(row.details.holder_id_number),
  bank: bankOf(row.cbu),
  description: row.description,
  short_description: row.details.short_description,
  ...tail(row),
});

const presentCard = (row: CardMandate) => ({
  ...head(row),
  card_holder_name: row.payer,
  ...(row.details.brand_name !== undefined && { card: row.details.brand_name }),
  ...(row.details.last_four !== undefined && { last_four_digits: row.details.last_four }),
  ...(row.details.expires !== undefined && { card_expires: monthText(row.details.expires) }),
  ...(row.details.closed !== undefined && { card_closed: row.details.closed }),
  ...(row.details.debit_reason !== undefined && { debit_reason: row.details.debit_reason }),
  description: row.description,
  ...tail(row),
});

/** Presents a mandate as GET returns it: every field sent, except a card's number. */
export const presentMandate = (row: MandateRow) =>
  row.kind === 'adhesion' ? presentBank(row) : presentCard(row);

export const presentPublicKey = ({ publicKey, renewAt, expiresAt }: PublicTransportKey) => ({
  algorithm: 'RSA-OAEP-256',
  public_key: publicKey,
  renew_at: isoDateTime(renewAt),
  expires_at: isoDateTime(expiresAt),
});
