import { isIPv4, isIPv6 } from 'node:net';
import { bareUrl, fault, integer, ok, type Variable } from './variable.ts';

const mostProcesses = 256;

const processes: Variable<number | 'auto'> = {
  doc: 'Processes that answer on `PORT`, one for each core at most: a number, or `auto` for one a core (fewer where the database has no connections for so many). One of them does the work of `worker`',
  fallback: '1',
  read(text) {
    if (text === 'auto') return ok('auto');
    return /^[0-9]{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= mostProcesses
      ? ok(Number(text))
      : fault(`must be auto, for one process a core, or a whole number from 1 to ${mostProcesses}`);
  },
};

const host: Variable<string> = {
  doc: 'Address to listen on',
  fallback: '127.0.0.1',
  read: (text) =>
    isIPv4(text) || isIPv6(text) || text === 'localhost'
      ? ok(text)
      : fault('must be an IP address or localhost'),
};

const drainSeconds: Variable<number, null> = {
  ...integer(
    'Seconds that a stopping process goes on to listen while `/readyz` says 503 and each answer ends its connection, so that load balancers leave it; unset: 5 in production, 0 in the sandbox',
    '0',
    0,
    60,
  ),
  fallback: null,
};

const samplerRatio: Variable<number> = {
  doc: 'Share of the traces that begin here and are exported, from 0 to 1; a call whose `traceparent` says so is exported anyway',
  fallback: '1',
  read: (text) =>
    /^(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)$/.test(text)
      ? ok(Number(text))
      : fault('must be a number from 0 to 1'),
};

/** Listening addresses, the number of processes, and how they stop. */
export const processVariables = {
  HOST: host,
  PORT: integer('Port of the APIs and pages; 0 lets the system choose', '8360', 0, 65535),
  PROCESSES: processes,
  METRICS_PORT: integer(
    'Port of `/metrics`, on `METRICS_HOST`; 0 lets the system choose one, printed at start',
    '0',
    0,
    65535,
  ),
  METRICS_HOST: {
    ...host,
    doc: 'Address of `/metrics`: one that the public does not reach. It shows counts, no names',
  },
  DRAIN_SECONDS: drainSeconds,
  OTEL_EXPORTER_OTLP_ENDPOINT: bareUrl(
    'Receiver of traces, which speaks OTLP over HTTP and JSON, without `/v1/traces`; unset: nothing is traced (docs/how-to/observe.md)',
    ['http:', 'https:'],
  ),
  OTEL_TRACES_SAMPLER_ARG: samplerRatio,
} satisfies Record<string, Variable<unknown, string | null>>;

/** Milliseconds for which a stopping process keeps listening. */
export const drainMsOf = ({
  DRAIN_SECONDS,
  ENVIRONMENT,
}: {
  DRAIN_SECONDS: number | null;
  ENVIRONMENT: string;
}): number => 1000 * (DRAIN_SECONDS ?? (ENVIRONMENT === 'production' ? 5 : 0));
