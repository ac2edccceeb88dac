// biome-ignore-all lint/a11y/noRedundantRoles: a table that is shown as blocks loses its own roles
import type { ComponentChildren } from 'preact';
import type { Lang } from '../model.ts';
import { componentTexts } from './texts.ts';

export interface TableColumn<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligns cells by digits. */
  readonly number?: boolean;
  /** Marks the row's header, which is the card's title on a narrow screen. */
  readonly heads?: boolean;
  /** True if the address can select this order. */
  readonly sortable?: boolean;
}

/** The current order, and addresses of others. */
export interface TableOrder {
  readonly by: string;
  readonly descending: boolean;
  readonly href: (by: string, descending: boolean) => string;
}

type TableProps<Row> = {
  lang: Lang;
  caption: string;
  /** Hides the caption visually, if the heading above repeats it. */
  captionUnseen?: boolean;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** Replaces an empty table. */
  empty: ComponentChildren;
  order?: TableOrder;
  /** Sums by column. */
  foot?: Readonly<Record<string, ComponentChildren>>;
};

/**
 * Renders a table. On a narrow screen each row becomes a card with titles beside its cells, so that
 * nothing scrolls sideways. Sets roles explicitly, because browsers drop those of a table that is
 * not displayed as one.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, captionUnseen = false, columns, rows, empty, foot } = props;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <table class="table" role="table">
      <caption class={captionUnseen ? 'unseen' : undefined}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Heading key={column.key} column={column} lang={props.lang} order={props.order} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={index} role="row">
            {columns.map((column) => (
              <Cell key={column.key} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
      {foot !== undefined && <Foot columns={columns} foot={foot} />}
    </table>
  );
}

type ColumnProps<Row> = { column: TableColumn<Row> };

function Heading<Row>({
  column: { key, title, number = false, sortable = false },
  lang,
  order,
}: ColumnProps<Row> & { lang: Lang; order: TableOrder | undefined }) {
  const className = `${number ? 'number' : ''} ${sortable ? 'sortable' : ''}`.trim() || undefined;
  if (!sortable || order === undefined) {
    return (
      <th scope="col" role="columnheader" class={className}>
        {title}
      </th>
    );
  }
  const words = componentTexts[lang];
  const sorted = order.by === key;
  const descending = sorted && !order.descending;
  return (
    <th
      scope="col"
      role="columnheader"
      class={className}
      aria-sort={sorted ? (order.descending ? 'descending' : 'ascending') : 'none'}
    >
      <a class="sort" href={order.href(key, descending)}>
        <span class="unseen">{words.sortBy} </span>
        {title}
        <span class="unseen">, {descending ? words.descending : words.ascending}</span>
        <span class="sort-mark" aria-hidden="true">
          {sorted ? (order.descending ? '▼' : '▲') : '↕'}
        </span>
      </a>
    </th>
  );
}

function Cell<Row>({ column, row }: ColumnProps<Row> & { row: Row }) {
  const { title, cell, number = false, heads = false } = column;
  const className = number ? 'number' : undefined;
  return heads ? (
    <th scope="row" role="rowheader" class={className}>
      {cell(row)}
    </th>
  ) : (
    <td role="cell" data-title={title} class={className}>
      <span class="cell">{cell(row)}</span>
    </td>
  );
}

function Foot<Row>({ columns, foot }: Required<Pick<TableProps<Row>, 'columns' | 'foot'>>) {
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        {columns.map(({ key, title, number = false }, index) => {
          const content = foot[key];
          const className = number ? 'number' : undefined;
          return index === 0 ? (
            <th key={key} scope="row" role="rowheader" class={className}>
              {content}
            </th>
          ) : (
            <td key={key} role="cell" data-title={content ? title : undefined} class={className}>
              {content && <span class="cell">{content}</span>}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}
