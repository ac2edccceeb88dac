import { formatDay } from '../../kernel/dates.ts';
import type { ComingDay } from '../../money/collections/index.ts';
import {
  EmptyState,
  type Figure,
  Figures,
  Notice,
  Section,
} from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import {
  countText,
  cuitText,
  dayText,
  momentText,
  moneyText,
} from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { railText } from '../operator/files/labels.ts';
import { DaysChart, GrowthChart } from './charts.tsx';
import type { Attention, HomeModel } from './model.ts';
import { homeTexts } from './texts.ts';

/** Formats a count, with a plus sign at the limit of counting. */
const counted = (lang: Lang, count: number, isMore = count >= 1_000) => ({
  count,
  shown: `${countText(lang, count)}${isMore ? '+' : ''}`,
});

export function homePage(visit: AccountVisit, model: HomeModel): Page {
  const { lang, account } = visit;
  const texts = homeTexts[lang];
  const some = model.growth.lastMonth.some(({ collected }) => collected > 0);
  const charts = some || model.growth.thisMonth.some(({ collected }) => collected > 0);
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={
            <>
              <bdi>{account.name}</bdi> · <span class="whole">CUIT {cuitText(account.cuit)}</span>
            </>
          }
        />
        <Section title={texts.money} id="money">
          <Figures items={figuresOf(visit, model)} />
        </Section>
        <WhatWantsAttention visit={visit} attention={model.attention} />
        <Section title={texts.collected} id="collected">
          {charts ? (
            <div class="columns">
              <DaysChart lang={lang} model={model} />
              <GrowthChart lang={lang} model={model} />
            </div>
          ) : (
            <EmptyState title={texts.noneYet} text={texts.noneYetWhy} />
          )}
        </Section>
        {model.toCome.length > 0 && <ToCome lang={lang} days={model.toCome} />}
      </>
    ),
  };
}

function figuresOf({ lang, at, may }: AccountVisit, model: HomeModel): Figure[] {
  const { balances, toCome, collected } = model;
  const behind = (from: Temporal.PlainDate) =>
    may('reports.see') && { href: `${at('/reports/collection')}?from=${from}&to=${model.today}` };
  const texts = homeTexts[lang];
  const text = (amount: Parameters<typeof moneyText>[1]) => moneyText(lang, amount);
  const [next] = toCome;
  const { today, thisMonth, lastMonthSoFar, lastMonth } = collected;
  return [
    ...(balances === null
      ? []
      : [
          {
            label: texts.available,
            value: text(balances.available),
            href: at('/money/available'),
          },
          {
            label: texts.toCome,
            value: text(balances.unavailable),
            href: at('/money/to-come'),
            note: next ? texts.next({ day: dayText(lang, next.day) }) : texts.toComeNone,
          },
        ]),
    {
      label: texts.today,
      value: text(today.collected.gross),
      note: texts.payments({ count: today.collected.count }),
      ...behind(model.today),
    },
    {
      label: texts.thisMonth,
      value: text(thisMonth.collected.gross),
      note: texts.against({
        soFar: text(lastMonthSoFar.collected.gross),
        whole: text(lastMonth.collected.gross),
      }),
      ...behind(model.today.with({ day: 1 })),
    },
    ...unpaidOf(lang, at, model.unpaid),
  ];
}

/** Returns what payers still owe, each figure with the list that it sums. */
function unpaidOf(lang: Lang, at: AccountVisit['at'], unpaid: HomeModel['unpaid']): Figure[] {
  const texts = homeTexts[lang];
  if (unpaid === null) return [];
  return (['outstanding', 'overdue'] as const).map((name) => {
    const { query, total } = unpaid[name];
    return {
      label: texts[name],
      href: `${at('/requests')}?${query}`,
      value: total === null ? texts.uncounted : moneyText(lang, total.sum),
      ...(total && {
        note: texts.requests({ count: total.count, shown: countText(lang, total.count) }),
      }),
    };
  });
}

type AttentionProps = { visit: AccountVisit; attention: Attention };

function WhatWantsAttention({ visit: { lang, at, may }, attention }: AttentionProps) {
  const texts = homeTexts[lang];
  const { chargebacks, disputedIn } = attention;
  const disputes = `${at('/reports/chargeback')}?from=${disputedIn.from}&to=${disputedIn.to}`;
  const { evidenceDue, rejectedDebits, unsignedMandates, failingWebhooks, lateFiles, refunds } =
    attention;
  const lines = [
    ...(refunds.count > 0
      ? [
          <p key="refunds">
            <a href={at('/refunds')}>
              {texts.refunds(counted(lang, refunds.count, refunds.isMore))}
            </a>
          </p>,
        ]
      : []),
    ...(evidenceDue.first !== null
      ? [
          <p key="evidence">
            <a href={at('/disputes')}>
              {texts.evidence({
                ...counted(lang, evidenceDue.count),
                first: momentText(lang, evidenceDue.first),
              })}
            </a>
          </p>,
        ]
      : []),
    ...(rejectedDebits > 0
      ? [
          <p key="rejected">
            <a href={at('/debits?state=rejected')}>
              {texts.rejected(counted(lang, rejectedDebits))}
            </a>
          </p>,
        ]
      : []),
    ...(chargebacks > 0
      ? [
          <p key="disputed">
            {may('reports.see') ? (
              <a href={disputes}>{texts.disputed(counted(lang, chargebacks))}</a>
            ) : (
              texts.disputed(counted(lang, chargebacks))
            )}
          </p>,
        ]
      : []),
    ...(unsignedMandates > 0
      ? [
          <p key="unsigned">
            <a href={at('/mandates?state=pending_to_sign')}>
              {texts.unsigned(counted(lang, unsignedMandates))}
            </a>
          </p>,
        ]
      : []),
    ...failingWebhooks.map(({ id, url, failures }) => (
      <p key={id}>
        {texts.webhook({ failures })}{' '}
        <a class="code" href={at(`/webhooks/${id}`)}>
          {url}
        </a>
      </p>
    )),
    ...lateFiles.map(({ rail, file_date }) => (
      <p key={rail}>{texts.lateFile({ rail: railText(lang, rail), day: formatDay(file_date) })}</p>
    )),
  ];
  return (
    <Section title={texts.attention} id="attention">
      {lines.length === 0 ? (
        <p class="lead">{texts.nothing}</p>
      ) : (
        <Notice tone="wait">{lines}</Notice>
      )}
    </Section>
  );
}

function ToCome({ lang, days }: { lang: Lang; days: readonly ComingDay[] }) {
  const texts = homeTexts[lang];
  return (
    <Section title={texts.toComeByDay} id="to-come">
      <Table
        lang={lang}
        caption={texts.toComeByDay}
        captionUnseen
        columns={[
          {
            key: 'day',
            title: texts.day,
            heads: true,
            cell: ({ day }: ComingDay) => dayText(lang, day),
          },
          { key: 'payments', title: texts.count, number: true, cell: ({ payments }) => payments },
          {
            key: 'amount',
            title: texts.amount,
            number: true,
            cell: ({ amount }) => moneyText(lang, amount),
          },
        ]}
        rows={days}
        empty={null}
      />
    </Section>
  );
}
