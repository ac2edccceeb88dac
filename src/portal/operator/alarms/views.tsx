import type { ComponentChildren } from 'preact';
import type { MoneyAlarmRow } from '../../../money/alarms/index.ts';
import { Facts } from '../../../platform/pages/components/parts.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { AccountName } from '../../frame/account-name.tsx';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { alarmTexts } from './texts.ts';

export function columnsOf(lang: Lang) {
  const texts = alarmTexts[lang];
  return {
    id: { title: texts.number },
    kind: { title: texts.kind, says: texts.kinds },
    raised_at: { title: texts.raised },
    account: { title: texts.account },
    amount: { title: texts.amount },
    closed_at: { title: texts.closed, ofAll: true },
  };
}

type Names = ReadonlyMap<string, string>;
type FactsProps = { visit: ServiceVisit; row: MoneyAlarmRow; names: Names };

function AlarmFacts({ visit, row, names }: FactsProps) {
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
        ...(row.account_id === null
          ? []
          : ([
              [texts.account, <AccountName visit={visit} id={row.account_id} names={names} />],
            ] as const)),
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

export function onePage(
  visit: ServiceVisit,
  { row, names }: { row: MoneyAlarmRow; names: Names },
  form: ComponentChildren,
): Page {
  const { lang, at } = visit;
  const texts = alarmTexts[lang];
  return {
    title: texts.one({ id: row.id }),
    body: (
      <>
        <PageHead
          title={texts.one({ id: row.id })}
          up={{ href: at('/alarms'), label: texts.title }}
        />
        <AlarmFacts visit={visit} row={row} names={names} />
        {row.closed_at === null && form}
      </>
    ),
  };
}
