import { moneyText, rateText } from '../../platform/pages/format.ts';
import { type FormContext, SelectField } from './fields.tsx';
import type { BrandPlans, InstallmentOption, Lang } from './model.ts';
import { texts } from './texts.ts';

type InstallmentsProps = { lang: Lang; context: FormContext; plans: readonly BrandPlans[] };

export function Installments({ lang, context, plans }: InstallmentsProps) {
  const [only, ...others] = plans.flatMap(({ brand, options }) =>
    options.map(({ count }) => `${brand.code}:${count}`),
  );
  const first = others.length === 0 ? only : undefined;
  return (
    <SelectField
      context={context}
      name="installments"
      after={<p class="brand" aria-live="polite" data-chosen />}
    >
      {(previous) => (
        <>
          <option value="">{texts[lang].card.chooseInstallments}</option>
          {plans.map(({ brand, options }) => (
            <optgroup key={brand.code} label={brand.name} data-brand={brand.family}>
              {options.map((option) => {
                const value = `${brand.code}:${option.count}`;
                return (
                  <option
                    key={value}
                    value={value}
                    selected={value === (previous || first)}
                    data-submit={submitText(lang, option)}
                  >
                    {installmentText(lang, option)}
                    {costText(lang, option)}
                  </option>
                );
              })}
            </optgroup>
          ))}
        </>
      )}
    </SelectField>
  );
}

/** Describes an option: `3 cuotas de $ 500,00 (total $ 1.500,00)`. */
export function installmentText(lang: Lang, option: InstallmentOption): string {
  const words = texts[lang].card;
  const total = moneyText(lang, option.total);
  if (option.count === 1) return words.oneInstallment({ amount: total });
  const sentence =
    option.count * option.amount === option.total ? words.installments : words.rounded;
  return sentence({ count: option.count, amount: moneyText(lang, option.amount), total });
}

/** Describes the total financial cost, which Argentine law requires next to each plan. */
const costText = (lang: Lang, { annualCostPpm }: InstallmentOption): string =>
  annualCostPpm === undefined
    ? ''
    : ` · ${texts[lang].card.cost({ rate: rateText(lang, annualCostPpm) })}`;

function submitText(lang: Lang, { count, total }: InstallmentOption): string {
  const words = texts[lang].card;
  const amount = moneyText(lang, total);
  return count === 1 ? words.submit({ amount }) : words.submitIn({ amount, count });
}
