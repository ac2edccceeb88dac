import type { ComponentChildren } from 'preact';
import type { Base } from '../../platform/base.ts';
import type { Column, Listing } from '../../platform/listings.ts';
import { Badge, EmptyState, Pager, type Tone } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { dayText, moneyText, paidText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { ServiceAct } from '../../users/index.ts';
import { numberIn } from './address.ts';
import { PageHead } from './layout.tsx';
import type { Portal, VisitFor } from './portal.ts';

interface ListTexts {
  title: string;
  lead: string;
  /** Labels of the links to open entries and to all entries. */
  open: string;
  all: string;
  empty: string;
  emptyWhy: string;
}

/** Title and formats of a column. */
interface ColumnView {
  title: string;
  says?: Readonly<Record<string, string>>;
  tones?: Readonly<Record<string, Tone>>;
  /** Only in the list of all entries. */
  ofAll?: boolean;
}

/** Place of a listing in the portal. Each row links to a page of its own. */
interface Door<A extends ServiceAct, Name extends string> {
  path: string;
  base: Base;
  texts(lang: Lang): ListTexts;
  columns(lang: Lang): Readonly<Partial<Record<Name, ColumnView>>>;
  actions?(visit: VisitFor<A>): ComponentChildren;
  above?(visit: VisitFor<A>): Promise<ComponentChildren>;
}

const rowsAtOnce = 50;

function cellOf<Row>(lang: Lang, column: Column<Row>, { says, tones }: ColumnView, row: Row) {
  if (column.kind === 'money') {
    const amount = column.of(row);
    return amount === null ? '—' : moneyText(lang, amount);
  }
  const value = column.of(row);
  if (value === undefined || value === null || value === '') return '—';
  if (value instanceof Temporal.Instant) return paidText(lang, value);
  if (value instanceof Temporal.PlainDate) return dayText(lang, value);
  if (column.kind !== 'choice') {
    return <bdi class={column.kind === 'code' ? 'code' : undefined}>{value}</bdi>;
  }
  const text = says?.[value] ?? value;
  const tone = tones?.[value];
  return tone === undefined ? text : <Badge tone={tone}>{text}</Badge>;
}

/** Serves a paged listing over all accounts. */
export function listPages<Row extends { id: number }, A extends ServiceAct, Name extends string>(
  portal: Portal,
  { act, read, columns }: Listing<Row, A, Name>,
  door: Door<A, Name>,
): void {
  const { path } = door;

  const columnsOf = ({ lang, at }: VisitFor<A>, all: boolean): TableColumn<Row>[] =>
    (Object.entries(door.columns(lang)) as [Name, ColumnView][])
      .filter(([, { ofAll = false }]) => all || !ofAll)
      .map(([name, view], place) => {
        const column = columns[name];
        const cell = (row: Row) => cellOf(lang, column, view, row);
        return {
          key: name,
          title: view.title,
          number: column.kind === 'money',
          heads: place === 0,
          cell: place > 0 ? cell : (row) => <a href={at(`${path}/${row.id}`)}>{cell(row)}</a>,
        };
      });

  portal.page({
    act,
    path,
    async read(visit) {
      const { lang, at, query } = visit;
      const all = query.has('all');
      const after = numberIn(query.get('after') ?? '') ?? 0;
      const texts = door.texts(lang);
      const [rows, above] = await Promise.all([
        // One more than the page shows, to detect a next page.
        read(door.base.sql, { all, after, limit: rowsAtOnce + 1 }, door.base),
        door.above?.(visit),
      ]);
      const pageRows = rows.slice(0, rowsAtOnce);
      const last = rows.length > rowsAtOnce ? pageRows.at(-1) : undefined;
      const [open, everything] = [at(path), `${at(path)}?all=1`];
      return {
        title: texts.title,
        body: (
          <>
            <PageHead
              title={texts.title}
              lead={texts.lead}
              actions={
                <>
                  <a class="button button-quiet" href={all ? open : everything}>
                    {all ? texts.open : texts.all}
                  </a>
                  {door.actions?.(visit)}
                </>
              }
            />
            {above}
            <Table
              lang={lang}
              caption={texts.title}
              captionUnseen
              rows={pageRows}
              columns={columnsOf(visit, all)}
              empty={<EmptyState title={texts.empty} text={texts.emptyWhy} />}
            />
            <Pager
              lang={lang}
              first={query.has('after') ? (all ? everything : open) : undefined}
              next={last && `${all ? `${everything}&` : `${open}?`}after=${last.id}`}
            />
          </>
        ),
      };
    },
  });
}
