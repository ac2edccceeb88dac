import { cardBrands } from '../../money/channels/index.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Beginning } from '../create.ts';
import type { CardMandate, DebitCarriers } from '../mandate.ts';
import { clearNumber, encryptNumber } from './number.ts';
import { type CardMandateInput, numberMissing, refuseCardField } from './schema.ts';
import type { TransportKeys } from './transport-key.ts';

const sharedOf = (input: CardMandateInput, beginning: Beginning) => ({
  ...beginning,
  kind: 'card_adhesion' as const,
  reference: input.external_reference,
  holder: input.adhesion_holder_name,
  email: input.email,
  description: input.description,
  payer: input.card_holder_name,
});

const agreedIn = ({ debit_reason, metadata }: CardMandateInput) => ({
  ...(debit_reason !== null && { debit_reason }),
  ...(metadata && { metadata }),
});

/** Builds the row of a mandate whose holder enters the card at a connector while signing. */
const withoutNumber = (input: CardMandateInput, beginning: Beginning): CardMandate => ({
  ...sharedOf(input, beginning),
  keeps_card: true,
  card_key_id: null,
  card_ciphertext: null,
  details: agreedIn(input),
});

/**
 * Builds the row of a new card mandate, with the number encrypted, or without one if a connector
 * stores the card. Throws 400 for a card that no processor takes.
 */
export const cardRow =
  (vault: Vault, keys: TransportKeys, carriers: DebitCarriers, keepsCards: () => boolean) =>
  async (input: CardMandateInput, beginning: Beginning): Promise<CardMandate> => {
    if (input.card_number === null) {
      if (keepsCards()) return withoutNumber(input, beginning);
      throw refuseCardField('card_number', numberMissing());
    }
    const { number, brand } = await clearNumber(input.card_number, keys, beginning.account_id);
    const fault = carriers.cardFault({ number, brand });
    if (fault !== null) throw refuseCardField('card_number', fault);
    const { last_four, ...encrypted } = encryptNumber(vault, beginning, number);
    return {
      ...sharedOf(input, beginning),
      ...encrypted,
      keeps_card: false,
      details: {
        brand,
        brand_name: cardBrands[brand].label,
        last_four,
        ...agreedIn(input),
      },
    };
  };
