import { compareDays, formatDay } from '../../kernel/dates.ts';
import type { HolderBalance, StatementLine } from '../../money/ledger/index.ts';
import { TextField } from '../../platform/pages/components/field.tsx';
import { FilterBar } from '../../platform/pages/components/filter-bar.tsx';
import { EmptyState, Facts, Figures, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { moneyText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { sidePath } from '../money/places.ts';
import { periodQuery } from './period.ts';
import { lineName, type StatementModel, statementName } from './statement-model.ts';
import { statementTexts } from './statement-texts.ts';
import { reportTexts } from './texts.ts';

type Model = StatementModel & { today: Temporal.PlainDate };

export function statementPage(visit: AccountVisit, model: Model): Page {
  const { lang, at } = visit;
  const { month, statement, today } = model;
  const texts = statementTexts[lang];
  const title = statementName(lang, month);
  const isOver = compareDays(statement.to, today) < 0;
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={isOver ? texts.lead : texts.soFar}
          up={{ href: at('/reports'), label: reportTexts[lang].title }}
          actions={
            <a class="button" href={at(`/reports/statement.pdf?month=${month}`)}>
              {texts.file}
            </a>
          }
        />
        <MonthChoice visit={visit} model={model} />
        <Balances visit={visit} model={model} />
        <Section title={texts.movements} id="movements">
          <Movements visit={visit} model={model} />
        </Section>
      </>
    ),
  };
}

type Props = { visit: AccountVisit; model: Model };

function MonthChoice({ visit, model: { month, today } }: Props) {
  const { lang, at } = visit;
  const texts = statementTexts[lang];
  const here = at('/reports/statement');
  const next = month.add({ months: 1 });
  const isLast = Temporal.PlainYearMonth.compare(next, today.toPlainYearMonth()) > 0;
  return (
    <>
      <nav class="pager" aria-label={texts.month}>
        <a href={`${here}?month=${month.subtract({ months: 1 })}`}>← {texts.previous}</a>
        {!isLast && <a href={`${here}?month=${next}`}>{texts.next} →</a>}
      </nav>
      <FilterBar lang={lang} action={here} chips={[]}>
        <TextField lang={lang} type="month" name="month" label={texts.month} value={`${month}`} />
      </FilterBar>
    </>
  );
}

function Balances({ visit, model: { statement } }: Props) {
  const { lang } = visit;
  const texts = statementTexts[lang];
  const { opening, moved, closing, released, from, to } = statement;
  const split = ({ available, unavailable }: HolderBalance): string =>
    texts.split({
      available: moneyText(lang, available),
      unavailable: moneyText(lang, unavailable),
    });
  return (
    <>
      <Figures
        items={[
          {
            label: texts.opening,
            value: moneyText(lang, opening.total),
            note: split(opening),
          },
          { label: texts.moved, value: moneyText(lang, moved), href: '#movements' },
          {
            label: texts.closing,
            value: moneyText(lang, closing.total),
            note: split(closing),
          },
        ]}
      />
      <Facts
        items={[
          [reportTexts[lang].period, texts.days({ from: formatDay(from), to: formatDay(to) })],
          [texts.released, moneyText(lang, released)],
        ]}
      />
    </>
  );
}

function Movements({ visit, model: { statement } }: Props) {
  const { lang, at, may } = visit;
  const texts = statementTexts[lang];
  const linked = ({ kind, ledger_account: account }: StatementLine, text: string) =>
    may('money.see') ? (
      <a href={`${at(sidePath(kind, account))}?${periodQuery(statement)}`}>{text}</a>
    ) : (
      text
    );
  const rows = statement.groups.flatMap(({ group, amount, lines }) => {
    const concept = texts.groups[group];
    const namedLines = lines.map((line) => ({
      concept,
      detail: lineName(lang, group, line),
      journals: String(line.journals),
      amount: linked(line, moneyText(lang, line.amount)),
    }));
    const sum = <strong>{moneyText(lang, amount)}</strong>;
    return namedLines.length === 1
      ? namedLines
      : [
          ...namedLines,
          { concept, detail: <strong>{texts.sum}</strong>, journals: '', amount: sum },
        ];
  });
  return (
    <Table
      lang={lang}
      caption={texts.movements}
      captionUnseen
      columns={[
        { key: 'concept', title: texts.concept, heads: true, cell: ({ concept }) => concept },
        { key: 'detail', title: texts.detail, cell: ({ detail }) => detail },
        { key: 'journals', title: texts.journals, number: true, cell: (row) => row.journals },
        { key: 'amount', title: texts.amount, number: true, cell: ({ amount }) => amount },
      ]}
      rows={rows}
      empty={<EmptyState title={texts.none} />}
      foot={{ concept: texts.moved, amount: moneyText(lang, statement.moved) }}
    />
  );
}
