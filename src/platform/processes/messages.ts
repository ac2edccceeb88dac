import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Metrics of a process, as prom-client serialises them. */
export type Measured = MetricObjectWithValues<MetricValue<string>>[];

/** Tokens taken from buckets since the last message: by name of the limit, then by bucket. */
export type Spent = Record<string, [bucket: string, tokens: number][]>;

/** Messages of the primary to a process. */
export type ToProcess =
  | { kind: 'retire' }
  | { kind: 'stop' }
  | { kind: 'look' }
  | { kind: 'measure'; no: number }
  | { kind: 'spent'; spent: Spent };

/** Messages of a process to the primary. */
export type ToPrimary =
  | { kind: 'ready'; told: unknown }
  | { kind: 'failed'; message: string }
  | { kind: 'here' }
  | { kind: 'measured'; no: number; measured: Measured }
  | { kind: 'spent'; spent: Spent };
