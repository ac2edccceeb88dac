import { formatDay } from '../../../kernel/dates.ts';
import { negate } from '../../../kernel/money.ts';
import {
  grossFeeOf,
  netOf,
  type ResultRow,
  type WithholdingLine,
} from '../../../money/collections/index.ts';
import type { RefundRow } from '../../../money/refunds/index.ts';
import { Badge, Section, type Tone } from '../../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText, paidText, rateText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { threeDsName, threeDsText } from '../../disputes/three-ds.ts';
import { Message } from '../../frame/message.tsx';
import { oneTexts } from './texts.ts';

const goesBack = ({ type }: ResultRow): boolean => type === 'chargeback' || type === 'refund';

/** Formats moved money with its sign. A refusal moved none. */
function signed(lang: Lang, row: ResultRow, amount: ResultRow['amount']): string {
  if (row.type === 'rejected') return '—';
  return moneyText(lang, goesBack(row) ? negate(amount) : amount);
}

function Availability({ lang, row }: { lang: Lang; row: ResultRow }) {
  if (row.available_on === null || row.type !== 'collected') return <>—</>;
  return (
    <>
      <span class="whole">{formatDay(row.released_on ?? row.available_on)}</span>
      {row.released_on === null && <span class="aside">{oneTexts[lang].results.comes}</span>}
    </>
  );
}

/** Shows the result of 3-D Secure, if the payment has one. */
function Authentication({ lang, row }: { lang: Lang; row: ResultRow }) {
  const threeDs = row.type === 'collected' ? row.details.payment_metadata?.three_ds : undefined;
  if (!threeDs) return null;
  return (
    <span class="aside">
      {threeDsName}: {threeDsText(lang, threeDs)}
    </span>
  );
}

function columnsFor(lang: Lang): TableColumn<ResultRow>[] {
  const texts = oneTexts[lang];
  return [
    {
      key: 'what',
      title: texts.results.what,
      heads: true,
      cell: (row) => (
        <>
          {texts.kinds[row.type]}: {row.channel_label}
          <span class="aside">{paidText(lang, row.paid_at)}</span>
          <Authentication lang={lang} row={row} />
        </>
      ),
    },
    {
      key: 'amount',
      title: texts.results.amount,
      number: true,
      cell: (row) =>
        row.type === 'rejected' ? moneyText(lang, row.amount) : signed(lang, row, row.amount),
    },
    {
      key: 'fee',
      title: texts.results.fee,
      number: true,
      cell: (row) => signed(lang, row, grossFeeOf(row)),
    },
    {
      key: 'withheld',
      title: texts.results.withheld,
      number: true,
      cell: (row) => signed(lang, row, row.withheld),
    },
    {
      key: 'net',
      title: texts.results.net,
      number: true,
      cell: (row) => signed(lang, row, netOf(row)),
    },
    {
      key: 'available',
      title: texts.results.available,
      cell: (row) => <Availability lang={lang} row={row} />,
    },
  ];
}

export function Results({ lang, results }: { lang: Lang; results: readonly ResultRow[] }) {
  const { results: texts } = oneTexts[lang];
  return (
    <Section id="results" title={texts.title}>
      <Table
        lang={lang}
        caption={texts.title}
        captionUnseen
        columns={columnsFor(lang)}
        rows={results}
        empty={<p class="lead">{texts.none}</p>}
      />
    </Section>
  );
}

export function Withholdings({ lang, lines }: { lang: Lang; lines: readonly WithholdingLine[] }) {
  const { withholdings: texts } = oneTexts[lang];
  if (lines.length === 0) return null;
  const columns: TableColumn<WithholdingLine>[] = [
    { key: 'regime', title: texts.regime, heads: true, cell: ({ regime }) => regime },
    { key: 'where', title: texts.jurisdiction, cell: ({ jurisdiction }) => jurisdiction },
    { key: 'base', title: texts.base, number: true, cell: ({ base }) => moneyText(lang, base) },
    {
      key: 'rate',
      title: texts.rate,
      number: true,
      cell: ({ ratePpm }) => rateText(lang, ratePpm),
    },
    {
      key: 'amount',
      title: texts.amount,
      number: true,
      cell: ({ amount }) => moneyText(lang, amount),
    },
    {
      key: 'certificate',
      title: texts.certificate,
      cell: ({ certificate }) => <span class="code">{certificate}</span>,
    },
  ];
  return (
    <Section id="withholdings" title={texts.title}>
      <Table
        lang={lang}
        caption={texts.title}
        captionUnseen
        columns={columns}
        rows={lines}
        empty={null}
      />
    </Section>
  );
}

const refundTones: Readonly<Record<RefundRow['state'], Tone>> = {
  requested: 'wait',
  done: 'good',
  failed: 'bad',
};

export function Refunds({ lang, refunds }: { lang: Lang; refunds: readonly RefundRow[] }) {
  const texts = oneTexts[lang];
  if (refunds.length === 0) return null;
  const columns: TableColumn<RefundRow>[] = [
    {
      key: 'when',
      title: texts.refunds.when,
      heads: true,
      cell: ({ requested_at: at }) => momentText(lang, at),
    },
    { key: 'way', title: texts.refunds.way, cell: ({ way }) => texts.refundWays[way] },
    {
      key: 'state',
      title: texts.refunds.state,
      cell: ({ state, comment }) => (
        <>
          <Badge tone={refundTones[state]}>{texts.refundStates[state]}</Badge>
          {state === 'failed' && comment !== null && (
            <span class="aside">
              <Message lang={lang}>{comment}</Message>
            </span>
          )}
        </>
      ),
    },
    {
      key: 'amount',
      title: texts.refunds.amount,
      number: true,
      cell: ({ amount }) => moneyText(lang, amount),
    },
  ];
  return (
    <Section id="refunds" title={texts.refunds.title}>
      <Table
        lang={lang}
        caption={texts.refunds.title}
        captionUnseen
        columns={columns}
        rows={refunds}
        empty={null}
      />
    </Section>
  );
}
