import { type CardBrand, lastFour } from '../../kernel/card-number.ts';
import type { Vault } from '../../platform/vault.ts';
import { fault, refusal } from '../codes.ts';
import type { CardMandate } from '../mandate.ts';
import { type CardNumberInput, readCardNumber, refuseCardField } from './schema.ts';
import type { TransportKeys } from './transport-key.ts';

/**
 * Returns a card's number in clear text, and its brand. Throws 400 if the number is unreadable or
 * not valid.
 */
export async function clearNumber(
  input: CardNumberInput,
  keys: TransportKeys,
  accountId: string,
): Promise<{ number: string; brand: CardBrand }> {
  if (!input.encrypted) return input;
  const clear = await keys.decrypt(accountId, input.ciphertext);
  if (clear === null) {
    throw refuseCardField('card_number', fault('card_adhesion.number_wrong_key', {}));
  }
  const read = readCardNumber(clear);
  if (read.ok) return read.value;
  throw refuseCardField('card_number', ...(read.errors ?? []));
}

/**
 * Includes the mandate in the encryption context, so that a ciphertext moved to another row fails
 * to decrypt.
 */
const contextOf = ({ account_id, id }: Pick<CardMandate, 'account_id' | 'id'>): string =>
  `card ${account_id} ${id}`;

type SealedNumber = Pick<CardMandate, 'card_key_id' | 'card_ciphertext'>;

export function encryptNumber(
  vault: Vault,
  mandate: Pick<CardMandate, 'account_id' | 'id'>,
  number: string,
): SealedNumber & { last_four: string } {
  const { keyId, ciphertext } = vault.encrypt(number, contextOf(mandate));
  return { card_key_id: keyId, card_ciphertext: ciphertext, last_four: lastFour(number) };
}

/** Decrypts a mandate's card number for its processor's file. Throws 409 if it was erased. */
export function decryptNumber(
  vault: Vault,
  mandate: Pick<CardMandate, 'account_id' | 'id'> & SealedNumber,
): string {
  const { card_key_id: keyId, card_ciphertext: ciphertext } = mandate;
  if (keyId === null || ciphertext === null) {
    throw refusal('card_adhesion.number_erased', { id: mandate.id });
  }
  return vault.decrypt({ keyId, ciphertext }, contextOf(mandate));
}
