import type { Registry } from 'prom-client';
import type { ToPrimary, ToProcess } from './messages.ts';
import { createExchange, type RateExchange } from './rates.ts';

/** A process's communication with the primary. */
export interface Company {
  rates: RateExchange;
  /** Registers this process's metrics for the sums. */
  measures(registry: Registry): void;
  /** Reports that this process serves, with its start data. */
  ready(startData: unknown): void;
  failed(message: string): Promise<void>;
  /** Sends the last metrics before the process ends. */
  farewell(): Promise<void>;
  /** Called when the primary ends this process: `retire` if others replace it, else `stop`. */
  onLeave(leave: (how: 'retire' | 'stop') => void): void;
}

/** Interval of exchanging taken tokens. Calls within it may count late. */
const exchangeIntervalMs = 200;

/** Message number of metrics that the primary did not request. */
const unrequested = 0;

const send = (message: ToPrimary, sent?: () => void): void => {
  // Without a primary the process is already ending.
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
  }, exchangeIntervalMs).unref();
  return {
    rates: exchange,
    measures(of) {
      registry = of;
    },
    ready: (startData) => send({ kind: 'ready', startData }),
    failed: (message) => new Promise((resolve) => send({ kind: 'failed', message }, resolve)),
    farewell: () => measure(unrequested).catch(() => {}),
    onLeave(how) {
      leave = how;
    },
  };
}
