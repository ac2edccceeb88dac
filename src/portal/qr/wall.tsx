import { EmptyState, Facts, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText, moneyText, paidText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { mostTransactions, type StaticPayment, type StaticPayments } from '../../qr/http.ts';
import type { StaticRow } from '../../qr/index.ts';
import { type Filter, Filters, isFiltered, ListPager } from '../frame/filters.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { type Images, Picture } from './one.tsx';
import { qrTexts } from './texts.ts';
import { wallTexts } from './wall-texts.ts';

export const paymentsAtOnce = 25;

const daysOf = (lang: Lang): Filter[] =>
  (['from', 'until'] as const).map((name) => ({
    kind: 'day',
    name,
    label: wallTexts[lang][name],
  }));

interface WallModel extends StaticPayments {
  row: StaticRow;
  images: Images;
}

export function staticPage(visit: AccountVisit, model: WallModel): Page {
  const { row, images } = model;
  const { lang, at } = visit;
  const texts = qrTexts[lang];
  return {
    title: row.name,
    body: (
      <>
        <PageHead
          title={row.name}
          lead={row.open_amount ? texts.wall.open : texts.wall.closed}
          up={{ href: at('/qr/static'), label: texts.wall.title }}
        />
        <Picture visit={visit} id={row.id} images={images} sheet={`/qr/sheet.html?id=${row.id}`}>
          <a href={at(`/qr/static/${row.id}/poster.pdf`)} download>
            {wallTexts[lang].poster}
          </a>
        </Picture>
        <Facts
          items={[
            [texts.facts.id, <span class="code">{row.id}</span>],
            [texts.facts.description, <bdi>{row.description}</bdi>],
            [texts.facts.payer, <bdi>{row.payer}</bdi>],
            [texts.facts.city, <bdi>{row.city}</bdi>],
            [texts.facts.many, row.multiple_payment ? texts.yes : texts.no],
            [texts.facts.created, momentText(lang, row.created_at)],
          ]}
        />
        <Payments visit={visit} model={model} />
      </>
    ),
  };
}

function Payments({ visit, model }: { visit: AccountVisit; model: WallModel }) {
  const { lang, query } = visit;
  const texts = wallTexts[lang];
  const filters = daysOf(lang);
  const filtered = isFiltered(query, filters);
  const rows = model.rows.slice(0, paymentsAtOnce);
  const last = model.rows.length > paymentsAtOnce ? rows.at(-1) : undefined;
  const money = (of: 'amount' | 'returned') => ({
    key: of,
    title: texts[of],
    number: true,
    cell: (one: StaticPayment) => moneyText(lang, one[of]),
  });
  return (
    <Section title={texts.payments} id="payments">
      {(filtered || rows.length > 0) && <Filters visit={visit} filters={filters} />}
      {(rows.length > 0 || model.total === null) && <Total lang={lang} total={model.total} />}
      <Table
        lang={lang}
        caption={texts.payments}
        captionUnseen
        rows={rows}
        empty={<EmptyState title={filtered ? texts.noneFound : texts.none} />}
        columns={[
          {
            key: 'when',
            title: texts.when,
            heads: true,
            cell: (one: StaticPayment) => paidText(lang, one.paid_at),
          },
          { key: 'payer', title: texts.payer, cell: ({ payer }) => <bdi>{payer}</bdi> },
          { key: 'channel', title: texts.channel, cell: (one) => one.channel_label },
          money('amount'),
          ...(rows.some(({ returned }) => returned > 0) ? [money('returned')] : []),
        ]}
      />
      <ListPager visit={visit} next={last ? last.id : null} />
    </Section>
  );
}

function Total({ lang, total }: { lang: Lang; total: StaticPayments['total'] }) {
  const texts = wallTexts[lang];
  if (total === null) return <p>{texts.many({ most: mostTransactions })}</p>;
  const { count, amount, returned } = total;
  return (
    <p>
      {texts.total({ count, sum: moneyText(lang, amount) })}
      {returned > 0 && `. ${texts.back({ sum: moneyText(lang, returned) })}`}
    </p>
  );
}
