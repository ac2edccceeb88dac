import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** A process's metrics, as prom-client serializes them. */
export type Measured = MetricObjectWithValues<MetricValue<string>>[];

/** Tokens taken since the last message, by limit, then by bucket. */
export type Spent = Record<string, [bucket: string, tokens: number][]>;

export type ToProcess =
  | { kind: 'retire' }
  | { kind: 'stop' }
  | { kind: 'look' }
  | { kind: 'measure'; no: number }
  | { kind: 'spent'; spent: Spent };

export type ToPrimary =
  | { kind: 'ready'; startData: unknown }
  | { kind: 'failed'; message: string }
  | { kind: 'here' }
  | { kind: 'measured'; no: number; measured: Measured }
  | { kind: 'spent'; spent: Spent };
