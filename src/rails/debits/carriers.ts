import type { CardBrand } from '../../kernel/card-number.ts';
import type { LocalizedText } from '../../language/localized-text.ts';
import { cardBrands } from '../../money/channels/index.ts';
import { fault } from '../codes.ts';
import type { CardOutbound, DebitIdentity } from './debit.ts';
import { outboundDebits } from './formats.ts';

/** The configured files. Each method returns why none can carry a debit, or null. */
export interface Carriers {
  bankFault(): LocalizedText | null;
  cardFault(card: { number: string; brand: CardBrand }): LocalizedText | null;
}

export function carriersOf(known: DebitIdentity): Carriers {
  const configured = outboundDebits.filter((rail) => rail.isConfigured(known));
  const cards = configured.filter(
    (rail): rail is CardOutbound => rail.kind === 'card_debit_request',
  );
  const brands = [...new Set(cards.flatMap((rail) => rail.brands(known)))];
  return {
    bankFault() {
      if (configured.some((rail) => rail.kind === 'debit_request')) return null;
      return fault('debit.no_bank_file', {});
    },
    cardFault({ number, brand }) {
      const own = cards.filter(
        (rail) => rail.brands(known).includes(brand) && rail.takes({ number }, known),
      );
      if (own.length === 0) {
        if (brands.length === 0) return fault('debit.no_card_file', {});
        return fault('debit.brand_not_carried', {
          brand: cardBrands[brand].label,
          brands: brands.map((one) => cardBrands[one].label).join(', '),
        });
      }
      const room = Math.max(...own.map(({ longestCard }) => longestCard));
      if (number.length <= room) return null;
      return fault('debit.card_too_long', { most: room, digits: number.length });
    },
  };
}
