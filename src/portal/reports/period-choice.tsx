import { TextField } from '../../platform/pages/components/field.tsx';
import { FilterBar } from '../../platform/pages/components/filter-bar.tsx';
import { ErrorSummary, faultIn } from '../../platform/pages/components/form.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { isSame, type PeriodQuery, periodQuery, usualPeriods } from './period.ts';
import { reportTexts } from './texts.ts';

type PeriodProps = {
  lang: Lang;
  /** The page that shows the period. */
  action: string;
  today: Temporal.PlainDate;
  choice: PeriodQuery;
};

/** Renders a period picker: common periods, or any days. */
export function PeriodChoice({ lang, action, today, choice }: PeriodProps) {
  const texts = reportTexts[lang];
  const faultOf = faultIn(choice.faults);
  const usual = usualPeriods(today);
  return (
    <>
      <ErrorSummary lang={lang} faults={choice.faults} />
      <nav class="pager" aria-label={texts.period}>
        {(Object.keys(usual) as (keyof typeof usual)[]).map((key) => (
          <a
            key={key}
            href={`${action}?${periodQuery(usual[key])}`}
            aria-current={isSame(usual[key], choice.period) ? 'true' : undefined}
          >
            {texts.usual[key]}
          </a>
        ))}
      </nav>
      <FilterBar lang={lang} action={action} chips={[]}>
        {(['from', 'to'] as const).map((field) => (
          <TextField
            key={field}
            lang={lang}
            type="date"
            name={field}
            label={texts[field]}
            value={choice.submitted[field]}
            fault={faultOf(field)}
          />
        ))}
      </FilterBar>
    </>
  );
}
