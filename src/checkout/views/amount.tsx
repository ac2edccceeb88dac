import type { Centavos } from '../../kernel/money.ts';
import { moneyText } from '../../platform/pages/format.ts';
import type { Lang } from './model.ts';

/** More characters than these get smaller letters: an amount stands on one line on any screen. */
const shortAmount = 12;

/** The amount that a page is about. */
export function Amount({ lang, amount }: { lang: Lang; amount: Centavos }) {
  const text = moneyText(lang, amount);
  return (
    <div class="amount-box">
      <p class={text.length > shortAmount ? 'amount amount-long' : 'amount'}>{text}</p>
    </div>
  );
}
