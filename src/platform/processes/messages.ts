import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** What a process measured, as prom-client tells it. */
export type Measured = MetricObjectWithValues<MetricValue<string>>[];

/** What was taken from buckets since the last time: by the name of the limit, then by bucket. */
export type Spent = Record<string, [bucket: string, tokens: number][]>;

/** What the primary tells a process. */
export type ToProcess =
  | { kind: 'retire' }
  | { kind: 'stop' }
  | { kind: 'look' }
  | { kind: 'measure'; no: number }
  | { kind: 'spent'; spent: Spent };

/** What a process tells the primary. */
export type ToPrimary =
  | { kind: 'ready'; told: unknown }
  | { kind: 'failed'; message: string }
  | { kind: 'here' }
  | { kind: 'measured'; no: number; measured: Measured }
  | { kind: 'spent'; spent: Spent };
