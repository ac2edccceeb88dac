import type { ComponentChildren } from 'preact';
import type { Centavos } from '../../../kernel/money.ts';
import type { FoundRequest } from '../../../money/collections/index.ts';
import { EmptyState, Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { moneyText, paidText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { RequestBadge } from '../../frame/states.tsx';
import { sandboxTexts } from './texts.ts';

export interface RequestModel {
  found: FoundRequest;
  due: Centavos;
  paying: ComponentChildren;
  /** Forms that charge back, by result. */
  charging: ReadonlyMap<number, ComponentChildren>;
}

export function requestPage(visit: ServiceVisit, model: RequestModel): Page {
  const { lang, at } = visit;
  const texts = sandboxTexts[lang];
  const { row } = model.found;
  const title = `${texts.kinds[row.kind]} ${row.id}`;
  return {
    title,
    body: (
      <>
        <PageHead title={title} up={{ href: at('/sandbox'), label: texts.title }} />
        {visit.query.has('done') && <Notice tone="good" text={texts.done} />}
        <Facts
          items={[
            [
              texts.account,
              <a href={at(`/accounts/${row.account_id}`)}>
                <code>{row.account_id}</code>
              </a>,
            ],
            [texts.payer, <bdi>{row.payer}</bdi>],
            [texts.state, <RequestBadge lang={lang} state={row.state} />],
            [texts.due, moneyText(lang, model.due)],
          ]}
        />
        <Section id="pay" title={texts.pay}>
          {row.kind !== 'payment_request' && <p>{texts.channelHint}</p>}
          {model.paying}
        </Section>
        <Results visit={visit} model={model} />
      </>
    ),
  };
}

type ModelProps = { visit: ServiceVisit; model: RequestModel };

function Results({ visit, model: { found, charging } }: ModelProps) {
  const { lang } = visit;
  const texts = sandboxTexts[lang];
  return (
    <Section id="results" title={texts.results}>
      <Table
        lang={lang}
        caption={texts.results}
        captionUnseen
        rows={found.results}
        empty={<EmptyState title={texts.noResults} />}
        columns={[
          {
            key: 'what',
            title: texts.what,
            heads: true,
            cell: ({ type }) => texts.resultTypes[type],
          },
          { key: 'when', title: texts.when, cell: (row) => paidText(lang, row.paid_at) },
          { key: 'channel', title: texts.channel, cell: (row) => row.channel_label },
          {
            key: 'amount',
            title: texts.amount,
            number: true,
            cell: ({ amount }) => moneyText(lang, amount),
          },
          {
            key: 'chargeback',
            title: texts.chargeback,
            cell: ({ id }) => charging.get(id),
          },
        ]}
      />
    </Section>
  );
}
