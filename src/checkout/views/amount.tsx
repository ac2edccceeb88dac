import type { Centavos } from '../../kernel/money.ts';
import { moneyText } from '../../platform/pages/format.ts';
import type { Lang } from './model.ts';

/** Longer amounts get smaller letters, to fit on one line of any screen. */
const shortAmount = 12;

export function Amount({ lang, amount }: { lang: Lang; amount: Centavos }) {
  const text = moneyText(lang, amount);
  return (
    <div class="amount-box">
      <p class={text.length > shortAmount ? 'amount amount-long' : 'amount'}>{text}</p>
    </div>
  );
}
