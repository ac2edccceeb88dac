import type { Registry } from 'prom-client';
import type { ToPrimary, ToProcess } from './messages.ts';
import { createExchange, type RateExchange } from './rates.ts';

/** Duties of one of several processes besides serving: a primary leads those of a machine. */
export interface Company {
  rates: RateExchange;
  /** Registers this process's metrics, to be summed with the others'. */
  measures(registry: Registry): void;
  /** Reports that this process answers, with the data of its start. */
  ready(told: unknown): void;
  failed(message: string): Promise<void>;
  /** Sends the last measurements before the process ends. */
  farewell(): Promise<void>;
  /** Called when the primary ends it: `retire` if others replace it, `stop` if none does. */
  onLeave(leave: (how: 'retire' | 'stop') => void): void;
}

/** Interval in which processes share the tokens taken; calls within it may be counted late. */
const toldEveryMs = 200;

/** The number of an unsolicited message. */
const unasked = 0;

const send = (message: ToPrimary, sent?: () => void): void => {
  // Without a primary the process is ending and has no one to report to.
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
