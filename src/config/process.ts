import { isIPv4, isIPv6 } from 'node:net';
import { bareUrl, fault, integer, ok, type Variable } from './variable.ts';

const mostProcesses = 256;

const processes: Variable<number | 'auto'> = {
  doc: 'Number of processes that serve `PORT`, or `auto` for one per core. Set no more than the number of cores. `auto` starts fewer if the database has too few connections. One of them is the `worker`',
  fallback: '1',
  read(text) {
    if (text === 'auto') return ok('auto');
    return /^[0-9]{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= mostProcesses
      ? ok(Number(text))
      : fault(`must be auto, for one process a core, or a whole number from 1 to ${mostProcesses}`);
  },
};

const host: Variable<string> = {
  doc: 'Address that the service listens on',
  fallback: '127.0.0.1',
  read: (text) =>
    isIPv4(text) || isIPv6(text) || text === 'localhost'
      ? ok(text)
      : fault('must be an IP address or localhost'),
};

const drainSeconds: Variable<number, null> = {
  ...integer(
    'Seconds that a stopping process keeps listening so that load balancers notice: `/readyz` answers 503, and every response closes its connection. Unset: 5 in production, 0 in the sandbox',
    '0',
    0,
    60,
  ),
  fallback: null,
};

const samplerRatio: Variable<number> = {
  doc: 'Share of traces to export, from 0 to 1. A call with a `traceparent` follows its sampled flag instead',
  fallback: '1',
  read: (text) =>
    /^(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$/.test(text)
      ? ok(Number(text))
      : fault('must be a number from 0 to 1'),
};

/** Listening addresses, the number of processes, how they stop, and their traces. */
export const processVariables = {
  HOST: host,
  PORT: integer('Port of the APIs and pages. 0: the system chooses', '8360', 0, 65535),
  PROCESSES: processes,
  METRICS_PORT: integer(
    'Port of `/metrics`, on `METRICS_HOST`. 0: the system chooses, and the start prints it',
    '0',
    0,
    65535,
  ),
  METRICS_HOST: {
    ...host,
    doc: 'Address that `/metrics` listens on. Metrics contain no names, but keep them private',
  },
  DRAIN_SECONDS: drainSeconds,
  OTEL_EXPORTER_OTLP_ENDPOINT: bareUrl(
    'Address of an OTLP receiver of traces (HTTP with JSON), without `/v1/traces` (docs/how-to/observe.md). Unset: no traces',
    ['http:', 'https:'],
  ),
  OTEL_TRACES_SAMPLER_ARG: samplerRatio,
} satisfies Record<string, Variable<unknown, string | null>>;

/** Returns the milliseconds for which a stopping process keeps listening. */
export const drainMsOf = ({
  DRAIN_SECONDS,
  ENVIRONMENT,
}: {
  DRAIN_SECONDS: number | null;
  ENVIRONMENT: string;
}): number => 1000 * (DRAIN_SECONDS ?? (ENVIRONMENT === 'production' ? 5 : 0));
