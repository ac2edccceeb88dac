import { type Centavos, minus, negate } from '../../kernel/money.ts';
import { type Figure, Notice } from '../../platform/pages/components/parts.tsx';
import { moneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { ImportModel } from './model.ts';
import { importTexts } from './texts.ts';

/** Warns of a spreadsheet whose own total differs from its rows. */
export function Difference({ lang, model: { one, stated } }: { lang: Lang; model: ImportModel }) {
  if (stated === null || one.rows_amount === null || stated.amount === one.rows_amount) return null;
  const { sums } = importTexts[lang];
  const money = (amount: Centavos) => moneyText(lang, amount);
  const difference = minus(one.rows_amount, stated.amount);
  return (
    <Notice tone="bad">
      <p>
        {sums.differs({
          row: stated.row,
          stated: money(stated.amount),
          rows: money(one.rows_amount),
          difference: money(difference < 0 ? negate(difference) : difference),
          more: difference > 0 ? 'yes' : 'no',
        })}{' '}
        {(one.unread_amounts ?? 0) > 0 && sums.unread({ count: one.unread_amounts ?? 0 })}
      </p>
    </Notice>
  );
}

/** Returns the sum of all rows, compared with the spreadsheet's own total. */
export function sumFigure(lang: Lang, { one, stated }: ImportModel): Figure[] {
  if (one.rows_amount === null) return [];
  const { figures, sums } = importTexts[lang];
  const unread = one.unread_amounts ?? 0;
  const note =
    stated?.amount === one.rows_amount
      ? sums.agrees({ row: stated.row })
      : unread > 0
        ? sums.unread({ count: unread })
        : undefined;
  return [
    {
      label: figures.sum,
      value: moneyText(lang, one.rows_amount),
      ...(note !== undefined && { note }),
    },
  ];
}
