import type { ScaleLinear } from 'd3-scale';
import type { ComponentChildren } from 'preact';
import type { Lang } from '../model.ts';
import { Table, type TableColumn } from './table.tsx';
import { componentTexts } from './texts.ts';

/** A series of a chart. The order of the series determines their colors. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
}

/**
 * Heights in pixels, widths in percent, so that charts fill the available width without scaling
 * their labels.
 */
export const plot = { height: 240, top: 18, bottom: 212, ticks: 4 } as const;

/** Width of the axis's longest value. */
const axisWidth = 88;

/** Maximum number of series, because people cannot tell more colors apart. */
export const mostSeries = 8;

type ChartFigureProps<Row> = {
  lang: Lang;
  id: string;
  title: string;
  description: string;
  series: readonly ChartSeries[];
  rows: readonly Row[];
  columns: readonly TableColumn<Row>[];
  y: Scale;
  formatShort: (value: number) => string;
  children: ComponentChildren;
};

type Scale = ScaleLinear<number, number>;

/** Rounds to two decimals, which are finer than a pixel. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

export function ChartFigure<Row>(props: ChartFigureProps<Row>) {
  const { lang, id, title, description, series, rows, columns, y, children } = props;
  const { formatShort } = props;
  if (series.length > mostSeries) throw new RangeError(`A chart has ${mostSeries} colors.`);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ key, label }, index) => (
            <li key={key}>
              <svg class="legend-mark" width="12" height="12" aria-hidden="true">
                <rect class={`series-${index + 1}`} width="12" height="12" rx="3" />
              </svg>
              {label}
            </li>
          ))}
        </ul>
      )}
      <div class="chart-plot">
        <Axis y={y} format={formatShort} />
        <svg
          class="chart-drawing"
          width="100%"
          height={plot.height}
          role="img"
          aria-labelledby={`${id}-title ${id}-description`}
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-description`}>{description}</desc>
          {y.ticks(plot.ticks).map((value) => (
            <line
              key={value}
              x1="0"
              x2="100%"
              y1={y(value)}
              y2={y(value)}
              class={value === 0 ? 'chart-zero' : undefined}
            />
          ))}
          {children}
        </svg>
      </div>
      <details class="chart-table">
        <summary>{componentTexts[lang].asTable}</summary>
        <Table
          lang={lang}
          caption={title}
          captionUnseen
          columns={columns}
          rows={rows}
          empty={null}
        />
      </details>
    </figure>
  );
}

function Axis({ y, format }: { y: Scale; format: (value: number) => string }) {
  return (
    <svg class="chart-axis" width={axisWidth} height={plot.height} aria-hidden="true">
      {y.ticks(plot.ticks).map((value) => (
        <text key={value} x={axisWidth - 8} y={y(value) + 4} text-anchor="end">
          {format(value)}
        </text>
      ))}
    </svg>
  );
}

/** Maximum number of labels on a narrow screen. */
const labelsNarrow = 4;
const labelsWide = 11;

type LabelsProps = { labels: readonly string[]; middle: (index: number) => number };

/** Keeps labels inside the drawing. */
const anchorOf = (place: number) => (place < 5 ? 'start' : place > 95 ? 'end' : 'middle');

/** Renders the labels below the drawing, fewer on a narrow screen. */
export function Labels({ labels, middle }: LabelsProps) {
  const step = Math.ceil(labels.length / labelsWide);
  const narrowStep = step * Math.ceil(labels.length / step / labelsNarrow);
  return (
    <g>
      {labels.map((label, index) =>
        index % step === 0 ? (
          <text
            key={label}
            x={`${rounded(middle(index))}%`}
            y={plot.height - 4}
            text-anchor={anchorOf(middle(index))}
            class={index % narrowStep === 0 ? undefined : 'chart-wide'}
          >
            {label}
          </text>
        ) : null,
      )}
    </g>
  );
}
