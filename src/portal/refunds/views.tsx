import type { Centavos } from '../../kernel/money.ts';
import type { Proposal } from '../../money/proposals/index.ts';
import { Pager, Section } from '../../platform/pages/components/parts.tsx';
import type { TableColumn } from '../../platform/pages/components/table.tsx';
import { moneyText } from '../../platform/pages/format.ts';
import { Proposals } from '../four-eyes/views.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { refundTexts } from './texts.ts';

export const rowsAtOnce = 25;

interface ListModel {
  waiting: readonly Proposal[];
  /** One more than the page shows, to detect a next page. */
  decided: readonly Proposal[];
  /** The limit for one person. Null disables dual approval. */
  above: Centavos | null;
}

const aboutRequests = ({ lang, at }: AccountVisit): TableColumn<Proposal>[] => [
  {
    key: 'request',
    title: refundTexts[lang].request,
    cell: ({ request_id: id }) => <a href={at(`/requests/${id}`)}>{id}</a>,
  },
];

export function refundsPage(visit: AccountVisit, { waiting, decided, above }: ListModel): Page {
  const { lang, at, query } = visit;
  const texts = refundTexts[lang];
  const pageRows = decided.slice(0, rowsAtOnce);
  const last = decided.length > rowsAtOnce ? pageRows.at(-1) : undefined;
  const place = { visit, path: '/refunds', about: aboutRequests(visit) };
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={above === null ? texts.lead : texts.leadAbove(moneyText(lang, above))}
          up={{ href: at('/requests'), label: texts.list }}
        />
        <Section title={texts.waiting} id="waiting">
          <Proposals {...place} title={texts.waiting} rows={waiting} empty={texts.none} />
        </Section>
        <Section title={texts.decided} id="decided">
          <Proposals {...place} title={texts.decided} rows={pageRows} empty={texts.noneDecided} />
          <Pager
            lang={lang}
            first={query.has('behind') ? at('/refunds') : undefined}
            next={last && `${at('/refunds')}?behind=${last.id}`}
          />
        </Section>
      </>
    ),
  };
}

/** Renders proposals about one request, or nothing if there are none. */
export function ProposedRefunds({
  visit,
  rows,
}: {
  visit: AccountVisit;
  rows: readonly Proposal[];
}) {
  const { ofRequest: title } = refundTexts[visit.lang];
  if (rows.length === 0) return null;
  return (
    <Section title={title} id="proposed-refunds">
      <Proposals visit={visit} path="/refunds" title={title} rows={rows} empty="" about={[]} />
    </Section>
  );
}
