import type { Registry } from 'prom-client';
import type { ToPrimary, ToProcess } from './messages.ts';
import { createExchange, type RateExchange } from './rates.ts';

/** What a process of several does besides serving: it is one of a machine's, led by a primary. */
export interface Company {
  rates: RateExchange;
  /** What this process measures, to be added to what the others do. */
  measures(registry: Registry): void;
  /** Says that this process answers, and what its start told. */
  ready(told: unknown): void;
  failed(message: string): Promise<void>;
  /** Tells once more what was measured, before the process ends. */
  farewell(): Promise<void>;
  /** What to do when the primary sends it off: `retire` others take its place, `stop` nobody does. */
  onLeave(leave: (how: 'retire' | 'stop') => void): void;
}

/** So often what was taken from buckets is told: a caller's calls of that time may count too late. */
const toldEveryMs = 200;

/** The number of what is told without having been asked for. */
const unasked = 0;

const send = (message: ToPrimary, sent?: () => void): void => {
  // Without a primary the process is ending: nobody is left to be told.
  if (process.connected) process.send?.(message, undefined, undefined, () => sent?.());
  else sent?.();
};

/** Joins the primary that started this process. */
export function joinPrimary(): Company {
  const exchange = createExchange();
  let registry: Registry | null = null;
  let leave = (_how: 'retire' | 'stop'): void => {};
  const measure = async (no: number): Promise<void> => {
    const measured = registry === null ? [] : await registry.getMetricsAsJSON();
    await new Promise<void>((resolve) => send({ kind: 'measured', no, measured }, resolve));
  };
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'spent') exchange.spread(message.spent);
    else if (message.kind === 'look') send({ kind: 'here' });
    else if (message.kind === 'measure') void measure(message.no).catch(() => {});
    else if (message.kind === 'retire' || message.kind === 'stop') leave(message.kind);
  });
  setInterval(() => {
    const spent = exchange.gather();
    if (spent !== null) send({ kind: 'spent', spent });
  }, toldEveryMs).unref();
  return {
    rates: exchange,
    measures(of) {
      registry = of;
    },
    ready: (told) => send({ kind: 'ready', told }),
    failed: (message) => new Promise((resolve) => send({ kind: 'failed', message }, resolve)),
    farewell: () => measure(unasked).catch(() => {}),
    onLeave(how) {
      leave = how;
    },
  };
}
