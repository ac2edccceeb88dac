import type { CardBrand } from '../../kernel/card-number.ts';
import { cardBrands } from '../../money/channels/index.ts';
import type { CardOutbound, DebitIdentity } from './debit.ts';
import { outboundDebits } from './formats.ts';

/** What keeps the files of a deployment from carrying a debit, as a sentence; null: nothing. */
export interface Carriers {
  bankFault(): string | null;
  cardFault(card: { number: string; brand: CardBrand }): string | null;
}

const listed = (words: string[]): string => words.join(', ');

/** Asks the files that are configured, the exchange included. */
export function carriersOf(known: DebitIdentity): Carriers {
  const configured = outboundDebits.filter((rail) => rail.isConfigured(known));
  const cards = configured.filter(
    (rail): rail is CardOutbound => rail.kind === 'card_debit_request',
  );
  const brands = [...new Set(cards.flatMap((rail) => rail.brands(known)))];
  return {
    bankFault() {
      if (configured.some((rail) => rail.kind === 'debit_request')) return null;
      return 'This deployment debits no bank accounts: no file for a bank is configured.';
    },
    cardFault({ number, brand }) {
      const own = cards.filter(
        (rail) => rail.brands(known).includes(brand) && rail.takes({ number }, known),
      );
      if (own.length === 0) {
        const name = cardBrands[brand].label;
        if (brands.length === 0) return 'This deployment debits no cards: no file is configured.';
        const taken = listed(brands.map((one) => cardBrands[one].label));
        return `No file of this deployment carries this ${name} card; brands that are: ${taken}.`;
      }
      const room = Math.max(...own.map(({ longestCard }) => longestCard));
      if (number.length <= room) return null;
      return `The file that carries this card holds numbers of at most ${room} digits; this one has ${number.length}.`;
    },
  };
}
