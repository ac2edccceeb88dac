import type { ComponentChildren } from 'preact';
import { formatDay } from '../../../kernel/dates.ts';
import type { SuspenseRow } from '../../../money/suspense/index.ts';
import { Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import type { RequestRow } from '../../../requests/index.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { RequestBadge } from '../../frame/states.tsx';
import { MoneyFacts } from './one.tsx';
import { suspenseTexts } from './texts.ts';

/** Asks to confirm the assignment of money to a request. */
export function assignPage(
  visit: ServiceVisit,
  { row, request, form }: { row: SuspenseRow; request: RequestRow; form: ComponentChildren },
): Page {
  const { lang, at } = visit;
  const { assign: texts, search, ...own } = suspenseTexts[lang];
  return {
    title: texts.title(row.id),
    body: (
      <>
        <PageHead
          title={texts.title(row.id)}
          lead={texts.lead}
          up={{ href: at(`/suspense/${row.id}`), label: own.one(row.id) }}
        />
        {request.state === 'paid' && <Notice tone="bad" title={texts.paid} />}
        {request.total1 !== row.amount && request.total2 !== row.amount && (
          <Notice tone="wait" title={texts.differs} />
        )}
        <Section title={texts.money} id="money">
          <MoneyFacts visit={visit} row={row} />
        </Section>
        <Section title={texts.request} id="request">
          <Facts
            items={[
              [own.number, String(request.id)],
              [search.account_id, request.account_id],
              [own.amount, moneyText(lang, request.total1)],
              [own.state, <RequestBadge lang={lang} state={request.state} />],
              [search.payer, <bdi>{request.payer}</bdi>],
              [search.reference, <bdi>{request.reference ?? '—'}</bdi>],
              [search.due, formatDay(request.due1)],
            ]}
          />
        </Section>
        {row.state === 'open' && form}
      </>
    ),
  };
}

/** Asks to confirm that money was returned to its payer. */
export function returnPage(
  visit: ServiceVisit,
  { row, form }: { row: SuspenseRow; form: ComponentChildren },
): Page {
  const { lang, at } = visit;
  const { giveBack: texts, one } = suspenseTexts[lang];
  return {
    title: texts.title(row.id),
    body: (
      <>
        <PageHead
          title={texts.title(row.id)}
          lead={texts.lead}
          up={{ href: at(`/suspense/${row.id}`), label: one(row.id) }}
        />
        <MoneyFacts visit={visit} row={row} />
        {row.state === 'open' && form}
      </>
    ),
  };
}
