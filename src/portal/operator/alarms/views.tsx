import type { MoneyAlarmRow } from '../../../money/alarms/index.ts';
import { TextField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import { EmptyState, Facts, Pager } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { alarmTexts } from './texts.ts';

/** Rows of a page. */
export const rowsAtOnce = 50;

/** Alarms, the oldest first; one more than is shown says that there are others. */
export function listPage(
  visit: ServiceVisit,
  { rows, all }: { rows: readonly MoneyAlarmRow[]; all: boolean },
): Page {
  const { lang, at, query } = visit;
  const texts = alarmTexts[lang];
  const shown = rows.slice(0, rowsAtOnce);
  const last = rows.length > rowsAtOnce ? shown.at(-1) : undefined;
  const here = at(all ? '/alarms?all=1' : '/alarms');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <>
              <a class="button button-quiet" href={at(all ? '/alarms' : '/alarms?all=1')}>
                {all ? texts.open : texts.all}
              </a>
              <a class="button button-quiet" href={at('/letters')}>
                {texts.letters}
              </a>
            </>
          }
        />
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={shown}
          columns={[
            {
              key: 'id',
              title: texts.number,
              heads: true,
              cell: ({ id }) => <a href={at(`/alarms/${id}`)}>{id}</a>,
            },
            { key: 'kind', title: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
            {
              key: 'raised',
              title: texts.raised,
              cell: (row) => momentText(lang, row.raised_at),
            },
            { key: 'account', title: texts.account, cell: (row) => row.account_id ?? '—' },
            {
              key: 'amount',
              title: texts.amount,
              number: true,
              cell: ({ amount }) => (amount === null ? '—' : moneyText(lang, amount)),
            },
            ...(all
              ? [
                  {
                    key: 'closed',
                    title: texts.closed,
                    cell: ({ closed_at: closed }: MoneyAlarmRow) =>
                      closed === null ? '—' : momentText(lang, closed),
                  },
                ]
              : []),
          ]}
          empty={
            <EmptyState title={texts.empty}>
              <p>{texts.emptyWhy}</p>
            </EmptyState>
          }
        />
        <Pager
          lang={lang}
          first={query.has('after') ? here : undefined}
          next={last && `${here}${all ? '&' : '?'}after=${last.id}`}
        />
      </>
    ),
  };
}

function AlarmFacts({ visit, row }: { visit: ServiceVisit; row: MoneyAlarmRow }) {
  const { lang, at } = visit;
  const texts = alarmTexts[lang];
  const optional = (label: string, value: string | number | null) =>
    value === null ? [] : ([[label, <bdi>{String(value)}</bdi>]] as const);
  return (
    <Facts
      items={[
        [texts.kind, texts.kinds[row.kind]],
        [texts.message, <bdi>{row.message}</bdi>],
        [texts.raised, momentText(lang, row.raised_at)],
        ...(row.amount === null ? [] : ([[texts.amount, moneyText(lang, row.amount)]] as const)),
        ...optional(texts.connector, row.connector),
        ...optional(texts.account, row.account_id),
        ...optional(texts.request, row.request_id),
        ...optional(texts.attempt, row.attempt_id),
        ...optional(texts.result, row.result_id),
        ...(row.suspense_id === null
          ? []
          : ([
              [texts.suspense, <a href={at(`/suspense/${row.suspense_id}`)}>{row.suspense_id}</a>],
            ] as const)),
        ...(row.closed_at === null
          ? []
          : ([[texts.closed, momentText(lang, row.closed_at)]] as const)),
        ...optional(texts.note, row.note),
      ]}
    />
  );
}

/** One alarm, with the form that closes it. */
export function onePage(
  visit: ServiceVisit,
  { row, note, isFaulty }: { row: MoneyAlarmRow; note: string; isFaulty: boolean },
): Page {
  const { lang, at } = visit;
  const texts = alarmTexts[lang];
  const action = at(`/alarms/${row.id}/close`);
  const fault = isFaulty ? texts.noteFault : undefined;
  return {
    title: texts.one({ id: row.id }),
    status: isFaulty ? 400 : 200,
    body: (
      <>
        <PageHead
          title={texts.one({ id: row.id })}
          up={{ href: at('/alarms'), label: texts.title }}
        />
        <AlarmFacts visit={visit} row={row} />
        {row.closed_at === null && visit.may('alarms.close') && (
          <Form
            lang={lang}
            action={action}
            token={visit.token(action)}
            submit={texts.submit}
            back={at('/alarms')}
            faults={fault === undefined ? [] : [{ field: 'note', label: texts.note, text: fault }]}
          >
            <TextField
              lang={lang}
              name="note"
              label={texts.note}
              value={note}
              fault={fault}
              maxLength={255}
              required
            />
          </Form>
        )}
      </>
    ),
  };
}
