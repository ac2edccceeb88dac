import type { ComponentChildren } from 'preact';
import type { Lang } from '../model.ts';
import { componentTexts } from './texts.ts';

/** An active filter: its label, and the address that removes it. */
export interface FilterChip {
  readonly label: string;
  readonly without: string;
}

type FilterBarProps = {
  lang: Lang;
  /** The form's address: the page's path. */
  action: string;
  /** Other query parameters to preserve, such as the order. */
  keep?: Readonly<Record<string, string>>;
  chips: readonly FilterChip[];
  /** Fields that are always visible. */
  children: ComponentChildren;
  /** Fields behind "more filters". */
  more?: ComponentChildren;
  /** True to show `more` expanded, because one of its filters is active or has a fault. */
  moreOpen?: boolean;
};

/** Renders the filters of a list as a GET form, so that the address contains the search. */
export function FilterBar(props: FilterBarProps) {
  const { lang, action, keep = {}, chips, children, more, moreOpen = false } = props;
  const words = componentTexts[lang];
  return (
    <section class="filters" aria-label={words.filter}>
      <form method="get" action={action} class="filter-form">
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="filter-fields">{children}</div>
        {more !== undefined && (
          <details class="filter-more" open={moreOpen}>
            <summary>{words.moreFilters}</summary>
            <div class="filter-fields">{more}</div>
          </details>
        )}
        <button type="submit" class="button button-quiet">
          {words.filter}
        </button>
      </form>
      {chips.length > 0 && <Chips lang={lang} action={action} chips={chips} />}
    </section>
  );
}

function Chips({ lang, action, chips }: Pick<FilterBarProps, 'lang' | 'action' | 'chips'>) {
  const words = componentTexts[lang];
  return (
    <div class="chips">
      <ul aria-label={words.filteredBy}>
        {chips.map(({ label, without }) => (
          <li key={label}>
            <a class="chip" href={without} aria-label={words.remove({ label })}>
              {label} <span aria-hidden="true">×</span>
            </a>
          </li>
        ))}
      </ul>
      {chips.length > 1 && <a href={action}>{words.clear}</a>}
    </div>
  );
}
