import { cardBrands } from '../../money/channels/index.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Beginning } from '../create.ts';
import type { CardMandate, DebitCarriers } from '../mandate.ts';
import { clearNumber, encryptNumber } from './number.ts';
import { type CardMandateInput, refuseCardField } from './schema.ts';
import type { TransportKeys } from './transport-key.ts';

/** The row of a new mandate on a card: its number only as ciphertext. */
export const cardRow =
  (vault: Vault, keys: TransportKeys, carriers: DebitCarriers) =>
  async (input: CardMandateInput, beginning: Beginning): Promise<CardMandate> => {
    const { number, brand } = await clearNumber(input.card_number, keys, beginning.account_id);
    const fault = carriers.cardFault({ number, brand });
    if (fault !== null) throw refuseCardField('card_number', fault);
    const { last_four, ...encrypted } = encryptNumber(vault, beginning, number);
    return {
      ...beginning,
      ...encrypted,
      kind: 'card_adhesion',
      reference: input.external_reference,
      holder: input.adhesion_holder_name,
      email: input.email,
      description: input.description,
      payer: input.card_holder_name,
      details: {
        brand,
        brand_name: cardBrands[brand].label,
        last_four,
        ...(input.metadata && { metadata: input.metadata }),
      },
    };
  };
