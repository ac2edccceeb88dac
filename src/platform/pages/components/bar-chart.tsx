import { scaleBand, scaleLinear } from 'd3-scale';
import { stack, stackOffsetDiverging } from 'd3-shape';
import type { Lang } from '../model.ts';
import { ChartFigure, type ChartSeries, Labels, plot, rounded } from './chart.tsx';
import type { TableColumn } from './table.tsx';

/** A bar: its parts by series, and their total. */
export interface Bar {
  /** Full label, for the table and tooltips. */
  readonly label: string;
  /** Short label below the axis. */
  readonly short: string;
  readonly values: Readonly<Record<string, number>>;
  readonly total: number;
}

type BarChartProps = {
  lang: Lang;
  id: string;
  title: string;
  /** A sentence for people who cannot see the chart. */
  description: string;
  series: readonly ChartSeries[];
  bars: readonly Bar[];
  /** The heading of the table's first column. */
  barsAre: string;
  totalIs: string;
  format: (value: number) => string;
  /** Short format for the axis. */
  formatShort: (value: number) => string;
};

/** Renders stacked bars, such as one per day with a part per channel. */
export function BarChart(props: BarChartProps) {
  const { series, bars, format } = props;
  const stacked = stack<Bar, string>()
    .keys(series.map(({ key }) => key))
    .value(({ values }, key) => values[key] ?? 0)
    .offset(stackOffsetDiverging)([...bars]);
  const ends = stacked.flatMap((one) => one.flat());
  const x = scaleBand<number>(
    bars.map((_, index) => index),
    [0, 100],
  ).padding(0.25);
  const y = scaleLinear([Math.min(0, ...ends), Math.max(1, ...ends)], [plot.bottom, plot.top]).nice(
    plot.ticks,
  );
  const columns: TableColumn<Bar>[] = [
    { key: 'label', title: props.barsAre, heads: true, cell: ({ label }) => label },
    ...series.map(({ key, label }) => ({
      key,
      title: label,
      number: true,
      cell: ({ values }: Bar) => format(values[key] ?? 0),
    })),
    { key: 'total', title: props.totalIs, number: true, cell: ({ total }) => format(total) },
  ];
  return (
    <ChartFigure {...props} y={y} rows={bars} columns={columns}>
      {bars.map((bar, index) => (
        <g key={bar.label}>
          <title>{`${bar.label}: ${format(bar.total)}`}</title>
          {stacked.map((one, series) => {
            const [low, high] = one[index] ?? [0, 0];
            if (low === high) return null;
            return (
              <rect
                key={one.key}
                class={`series-${series + 1}`}
                x={`${rounded(x(index) ?? 0)}%`}
                width={`${rounded(x.bandwidth())}%`}
                y={rounded(y(high))}
                height={rounded(y(low) - y(high))}
              />
            );
          })}
        </g>
      ))}
      <Labels
        labels={bars.map(({ short }) => short)}
        middle={(index) => (x(index) ?? 0) + x.bandwidth() / 2}
      />
    </ChartFigure>
  );
}
