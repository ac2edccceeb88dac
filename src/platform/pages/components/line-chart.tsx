import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Lang } from '../model.ts';
import { ChartFigure, type ChartSeries, Labels, plot } from './chart.tsx';
import type { TableColumn } from './table.tsx';

/** A point on the axis. `values` omits series without a value there. */
export interface LinePoint {
  readonly label: string;
  readonly short: string;
  readonly values: Readonly<Record<string, number>>;
}

type LineChartProps = {
  lang: Lang;
  id: string;
  title: string;
  description: string;
  /** The first is solid. The others are dashed, for comparison. */
  series: readonly ChartSeries[];
  points: readonly LinePoint[];
  pointsAre: string;
  format: (value: number) => string;
  formatShort: (value: number) => string;
};

/** Renders lines over one axis, such as growth compared with an earlier period. */
export function LineChart(props: LineChartProps) {
  const { series, points, format } = props;
  const values = points.flatMap((point) => Object.values(point.values));
  const x = scaleLinear([0, Math.max(1, points.length - 1)], [1, 99]);
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(1, ...values)],
    [plot.bottom, plot.top],
  ).nice(plot.ticks);
  const columns: TableColumn<LinePoint>[] = [
    { key: 'label', title: props.pointsAre, heads: true, cell: ({ label }) => label },
    ...series.map(({ key, label }) => ({
      key,
      title: label,
      number: true,
      cell: (point: LinePoint) => {
        const value = point.values[key];
        return value === undefined ? '' : format(value);
      },
    })),
  ];
  const path = (key: string) =>
    line<LinePoint>()
      .defined((point) => point.values[key] !== undefined)
      .x((_, index) => x(index))
      .y((point) => y(point.values[key] ?? 0))
      .digits(2)([...points]);
  return (
    <ChartFigure {...props} y={y} rows={points} columns={columns}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: a part of the drawing, which has one */}
      <svg
        width="100%"
        height={plot.height}
        viewBox={`0 0 100 ${plot.height}`}
        preserveAspectRatio="none"
      >
        {series.map(({ key }, index) => (
          <path
            key={key}
            class={`line-${index + 1}${index > 0 ? ' line-compared' : ''}`}
            d={path(key) ?? ''}
            vector-effect="non-scaling-stroke"
          />
        ))}
      </svg>
      <Labels labels={points.map(({ short }) => short)} middle={(index) => x(index)} />
    </ChartFigure>
  );
}
