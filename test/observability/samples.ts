/** An exported series: name with labels, type and value. */
interface Sample {
  series: string;
  type: string;
  value: number;
}

/** The text of a scrape of `/metrics` and its time; null if nothing answered. */
export interface Scrape {
  text: string | null;
  at: number;
}

/** A provoked alert: the metrics before and after its cause. */
export interface Provocation {
  alert: string;
  before: Scrape;
  after: Scrape;
  /** Shifts the time of both scrapes, in seconds. */
  later?: number;
}

export const nameOf = (series: string): string => series.replace(/\{.*/s, '');

/** Reads Prometheus' text format, as far as prom-client writes it. */
export function samplesOf(text: string): Sample[] {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const typed = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (typed?.[1] && typed[2]) types.set(typed[1], typed[2]);
    const sample = /^([a-z_]\w*(?:\{.*\})?) (\S+)$/.exec(line);
    if (!sample?.[1]) continue;
    const [, series, value] = sample;
    const family = nameOf(series).replace(/_(?:bucket|sum|count)$/, '');
    const type = types.get(nameOf(series)) ?? types.get(family) ?? 'untyped';
    samples.push({ series, type, value: Number(value) });
  }
  return samples;
}

/** Metrics that hold a timestamp, which must move with the clock of the evaluation. */
const isMoment = (series: string): boolean =>
  /_(?:last|last_run|last_failure|end)_seconds$/.test(nameOf(series));

const target = (series: string): string => {
  const labels = /\{(.*)\}/s.exec(series)?.[1];
  return `${nameOf(series)}{job="recaudo",instance="a"${labels ? `,${labels}` : ''}}`;
};

/** Minutes of each half of the evaluation. */
export const halfMinutes = 100;

const repeated = (start: number | null, step: number): string =>
  start === null ? `_x${halfMinutes}` : `${start}+${step}x${halfMinutes - 1}`.replace('+-', '-');

/** Returns the scrapes minute by minute: first the one before, then the one after. */
export function inputSeries(
  { before, after, later = 0 }: Provocation,
  wanted: ReadonlySet<string>,
): { series: string; values: string }[] {
  const read = ({ text }: Scrape) =>
    new Map(samplesOf(text ?? '').map((sample) => [sample.series, sample]));
  const [old, fresh] = [read(before), read(after)];
  const shift = halfMinutes * 60 - (after.at + later);
  const up = { series: 'up{job="recaudo",instance="a"}' };
  const all = [
    { ...up, values: `1x${halfMinutes - 1} ${after.text === null ? 0 : 1}x${halfMinutes}` },
  ];
  for (const series of new Set([...old.keys(), ...fresh.keys()])) {
    if (!wanted.has(nameOf(series))) continue;
    const [was, is] = [old.get(series), fresh.get(series)];
    const moved = isMoment(series) ? shift : 0;
    const from = was ? was.value + moved : null;
    const to = is ? is.value + moved : null;
    // A counter keeps growing at the rate of the provoked step.
    const counts = is?.type === 'counter' || is?.type === 'histogram';
    const step = counts && to !== null ? to - (from ?? 0) : 0;
    all.push({ series: target(series), values: `${repeated(from, 0)} ${repeated(to, step)}` });
  }
  return all;
}
