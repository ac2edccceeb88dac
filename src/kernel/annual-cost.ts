import type { Centavos } from './money.ts';

/**
 * Returns the value today of `count` monthly payments of 1, the first due in a month, at a monthly
 * rate.
 */
const presentValue = (count: number, rate: number): number =>
  rate === 0 ? count : (1 - (1 + rate) ** -count) / rate;

/**
 * Returns the total financial cost of paying `total` in monthly installments instead of `cash`
 * today, as an effective annual rate in parts per million, rounded to hundredths of a percent. It
 * is what the central bank calls CFT, as TEA: the first installment falls due after one month, and
 * `total` contains interest and its taxes. 0 if financing is free.
 */
export function annualCostPpm(
  cash: Centavos,
  { installments, total }: { installments: number; total: Centavos },
): number {
  if (total <= cash) return 0;
  const target = (cash * installments) / total;
  let [low, high] = [0, 1];
  while (presentValue(installments, high) > target) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (presentValue(installments, middle) > target) low = middle;
    else high = middle;
  }
  return Math.round(((1 + low) ** 12 - 1) * 10_000) * 100;
}
