import { formatDay } from '../../../kernel/dates.ts';
import type { Centavos } from '../../../kernel/money.ts';
import { percentText } from '../../../kernel/percent.ts';
import { readActor } from '../../../platform/actor.ts';
import { EmptyState, Section } from '../../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { channelNames } from '../../frame/channels.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import type { ChannelTerms, FeesModel } from './model.ts';
import { feesTexts } from './texts.ts';

interface Figures {
  ppm: number;
  fixed: Centavos;
  minimum: Centavos;
  days: number;
}

export const percentOf = (lang: Lang, ppm: number): string => {
  const text = percentText(ppm);
  return `${lang === 'es' ? text.replace('.', ',') : text}\u00a0%`;
};

function figureColumns<Row>(lang: Lang, of: (row: Row) => Figures): TableColumn<Row>[] {
  const texts = feesTexts[lang];
  return [
    {
      key: 'percentage',
      title: texts.percentage,
      number: true,
      cell: (row) => percentOf(lang, of(row).ppm),
    },
    {
      key: 'fixed',
      title: texts.fixed,
      number: true,
      cell: (row) => moneyText(lang, of(row).fixed),
    },
    {
      key: 'minimum',
      title: texts.minimum,
      number: true,
      cell: (row) => moneyText(lang, of(row).minimum),
    },
    { key: 'days', title: texts.days, number: true, cell: (row) => of(row).days },
  ];
}

export function feesPage(visit: ServiceVisit, model: FeesModel): Page {
  const { lang, at } = visit;
  const texts = feesTexts[lang];
  const { account } = model;
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at(`/accounts/${account.id}`), label: account.name }}
        />
        <Now visit={visit} model={model} />
        {model.planned.length > 0 && <Planned lang={lang} model={model} />}
        <Changes visit={visit} model={model} />
        <Withholdings lang={lang} model={model} />
      </>
    ),
  };
}

type FeesProps = { visit: ServiceVisit; model: FeesModel };
type ReadProps = { lang: Lang; model: FeesModel };

function termsText(lang: Lang, { own }: ChannelTerms): string {
  const texts = feesTexts[lang];
  if (own === null) return texts.standard;
  const until = own.valid_to === null ? '' : `, ${texts.until({ day: formatDay(own.valid_to) })}`;
  return `${texts.own}, ${texts.since({ day: formatDay(own.valid_from) })}${until}`;
}

function Now({ visit, model: { account, now } }: FeesProps) {
  const { lang, at, may } = visit;
  const texts = feesTexts[lang];
  const changes = may('fees.manage') && account.state !== 'closed';
  return (
    <Section id="now" title={texts.now}>
      <Table
        lang={lang}
        caption={texts.now}
        captionUnseen
        rows={now}
        empty={null}
        columns={[
          {
            key: 'channel',
            title: texts.channel,
            heads: true,
            cell: ({ channel }) => channelNames[lang][channel],
          },
          ...figureColumns<ChannelTerms>(lang, ({ terms }) => ({
            ppm: terms.percentagePpm,
            fixed: terms.fixed,
            minimum: terms.minimum,
            days: terms.availableAfterDays,
          })),
          { key: 'terms', title: texts.terms, cell: (row) => termsText(lang, row) },
          ...(changes
            ? [
                {
                  key: 'change',
                  title: texts.change,
                  cell: ({ channel }: ChannelTerms) => (
                    <a href={at(`/accounts/${account.id}/fees/${channel}`)}>
                      {texts.change}
                      <span class="unseen"> {channelNames[lang][channel]}</span>
                    </a>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

function Planned({ lang, model: { planned } }: ReadProps) {
  const texts = feesTexts[lang];
  return (
    <Section id="planned" title={texts.planned}>
      <Table
        lang={lang}
        caption={texts.planned}
        captionUnseen
        rows={planned}
        empty={null}
        columns={[
          {
            key: 'channel',
            title: texts.channel,
            heads: true,
            cell: ({ channel }) => channelNames[lang][channel],
          },
          { key: 'from', title: texts.from, cell: (row) => formatDay(row.valid_from) },
          ...figureColumns<FeesModel['planned'][number]>(lang, (row) => ({
            ppm: row.percentage_ppm,
            fixed: row.fixed,
            minimum: row.minimum,
            days: row.available_after_days,
          })),
        ]}
      />
    </Section>
  );
}

function whoText(actor: string, names: FeesModel['names']): string {
  const who = readActor(actor);
  if (who.kind === 'user') return names.get(who.id) ?? actor;
  return who.kind === 'operator' ? `${who.user}@${who.host}` : actor;
}

function Changes({ visit: { lang, at }, model: { account, changes, names } }: FeesProps) {
  const texts = feesTexts[lang];
  const dash = (change: FeesModel['changes'][number], text: string) =>
    change.type === 'fees.set' ? text : '–';
  return (
    <Section
      id="history"
      title={texts.history}
      actions={<a href={`${at('/audit-log')}?account=${account.id}`}>{texts.allActs}</a>}
    >
      <Table
        lang={lang}
        caption={texts.history}
        captionUnseen
        rows={changes}
        empty={<EmptyState title={texts.noHistory} />}
        columns={[
          {
            key: 'channel',
            title: texts.channel,
            heads: true,
            cell: ({ channel }) => channelNames[lang][channel],
          },
          {
            key: 'what',
            title: texts.what,
            cell: ({ type }) => (type === 'fees.set' ? texts.set : texts.ended),
          },
          { key: 'from', title: texts.from, cell: (row) => formatDay(row.valid_from) },
          {
            key: 'percentage',
            title: texts.percentage,
            number: true,
            cell: (row) => dash(row, percentOf(lang, row.percentage_ppm)),
          },
          {
            key: 'days',
            title: texts.days,
            number: true,
            cell: (row) => dash(row, String(row.days)),
          },
          { key: 'when', title: texts.when, cell: (row) => momentText(lang, row.at) },
          {
            key: 'who',
            title: texts.who,
            cell: ({ actor }) => <bdi>{whoText(actor, names)}</bdi>,
          },
        ]}
      />
    </Section>
  );
}

function Withholdings({ lang, model: { rates } }: ReadProps) {
  const texts = feesTexts[lang];
  return (
    <Section id="withholdings" title={texts.withholdings}>
      <p class="lead">{texts.withholdingsLead}</p>
      <Table
        lang={lang}
        caption={texts.withholdings}
        captionUnseen
        rows={rates}
        empty={<EmptyState title={texts.noWithholdings} />}
        columns={[
          { key: 'regime', title: texts.regime, heads: true, cell: ({ regime }) => regime },
          { key: 'jurisdiction', title: texts.jurisdiction, cell: (row) => row.jurisdiction },
          {
            key: 'rate',
            title: texts.rate,
            number: true,
            cell: ({ ratePpm }) => percentOf(lang, ratePpm),
          },
          { key: 'from', title: texts.from, cell: ({ validFrom }) => formatDay(validFrom) },
          { key: 'to', title: texts.to, cell: ({ validTo }) => validTo && formatDay(validTo) },
        ]}
      />
    </Section>
  );
}
