import { formatDay } from '../../kernel/dates.ts';
import { centavos } from '../../kernel/money.ts';
import { allChannelCodes, type ChannelCode } from '../../money/channels/index.ts';
import { sumOfTotals } from '../../money/collections/index.ts';
import { type Bar, BarChart } from '../../platform/pages/components/bar-chart.tsx';
import { LineChart, type LinePoint } from '../../platform/pages/components/line-chart.tsx';
import { dayText, moneyText, shortMoneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { channelNames } from '../frame/channels.ts';
import type { HomeModel } from './model.ts';
import { homeTexts } from './texts.ts';

/** Together with "others", the most series that a chart can distinguish. */
const ownSeries = 7;

const shortDay = (day: Temporal.PlainDate): string => formatDay(day).slice(0, 5);

/** Returns the channels with the most collections. The rest is one series. */
function channelsOf(days: HomeModel['days']): { own: ChannelCode[]; rest: ChannelCode[] } {
  const all = days.flatMap(({ totals }) => totals);
  const used = allChannelCodes
    .map((code) => ({
      code,
      gross: sumOfTotals(all.filter(({ channel }) => channel === code)).collected.gross,
    }))
    .filter(({ gross }) => gross > 0)
    .sort((a, b) => b.gross - a.gross)
    .map(({ code }) => code);
  return used.length <= ownSeries + 1
    ? { own: used, rest: [] }
    : { own: used.slice(0, ownSeries), rest: used.slice(ownSeries) };
}

type ChartProps = { lang: Lang; model: HomeModel };

export function DaysChart({ lang, model: { days } }: ChartProps) {
  const texts = homeTexts[lang];
  const { own, rest } = channelsOf(days);
  const groups = [
    ...own.map((code) => ({ key: code, label: channelNames[lang][code], of: [code] })),
    ...(rest.length > 0 ? [{ key: 'others', label: texts.others, of: rest }] : []),
  ];
  const bars: Bar[] = days.map(({ day, totals }) => ({
    label: dayText(lang, day),
    short: shortDay(day),
    values: Object.fromEntries(
      groups.map(({ key, of }) => [
        key,
        sumOfTotals(totals.filter(({ channel }) => of.includes(channel))).collected.gross,
      ]),
    ),
    total: sumOfTotals(totals).collected.gross,
  }));
  return (
    <BarChart
      lang={lang}
      id="days"
      title={texts.byDay}
      description={texts.byDayDescription}
      series={groups}
      bars={bars}
      barsAre={texts.day}
      totalIs={texts.total}
      format={(value) => moneyText(lang, centavos(value))}
      formatShort={(value) => shortMoneyText(lang, value)}
    />
  );
}

/** Charts this month's growth compared with the last one. */
export function GrowthChart({ lang, model: { growth } }: ChartProps) {
  const texts = homeTexts[lang];
  const { thisMonth, lastMonth } = growth;
  const longest = Math.max(thisMonth.length, lastMonth.length);
  const points: LinePoint[] = Array.from({ length: longest }, (_, index) => {
    const [now, before] = [thisMonth[index], lastMonth[index]];
    return {
      label: `${texts.day} ${index + 1}`,
      short: String(index + 1),
      values: {
        ...(now && { thisMonth: now.collected }),
        ...(before && { lastMonth: before.collected }),
      },
    };
  });
  return (
    <LineChart
      lang={lang}
      id="growth"
      title={texts.growth}
      description={texts.growthDescription}
      series={[
        { key: 'thisMonth', label: texts.monthNow },
        { key: 'lastMonth', label: texts.monthBefore },
      ]}
      points={points}
      pointsAre={texts.day}
      format={(value) => moneyText(lang, centavos(value))}
      formatShort={(value) => shortMoneyText(lang, value)}
    />
  );
}
