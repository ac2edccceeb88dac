import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { portTaken } from './http/free-port.ts';

/** Metrics of the service, for Prometheus. */
export interface Metrics {
  registry: Registry;
  httpSeconds: Histogram<'method' | 'route' | 'status'>;
  sweptTotal: Counter<'sweep'>;
  sweepFailuresTotal: Counter<'sweep'>;
  webhookDeliveries: Counter<'outcome'>;
  connectorCalls: Counter<'connector' | 'call' | 'outcome'>;
  connectorAlarms: Counter<'connector' | 'kind'>;
  callsLeftOut: Counter;
  spansDropped: Counter;
  /** Reads by the side that served them. */
  reads: Counter<'side' | 'why'>;
  replicaInUse: Gauge;
  replicaLag: Gauge;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'recaudo_http_request_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    sweptTotal: new Counter({
      name: 'recaudo_swept_total',
      help: 'Rows that a sweep moved',
      labelNames: ['sweep'],
      registers,
    }),
    sweepFailuresTotal: new Counter({
      name: 'recaudo_sweep_failures_total',
      help: 'Runs of a sweep that failed; the next run tries again',
      labelNames: ['sweep'],
      registers,
    }),
    webhookDeliveries: new Counter({
      name: 'recaudo_webhook_deliveries_total',
      help: 'Events sent to a webhook: delivered, retried later, or failed for good',
      labelNames: ['outcome'],
      registers,
    }),
    connectorCalls: new Counter({
      name: 'recaudo_connector_calls_total',
      help: 'Charges sent to a connector and questions about them, by what was understood',
      labelNames: ['connector', 'call', 'outcome'],
      registers,
    }),
    connectorAlarms: new Counter({
      name: 'recaudo_connector_alarms_total',
      help: 'What an operator is to look at, by connector and kind',
      labelNames: ['connector', 'kind'],
      registers,
    }),
    callsLeftOut: new Counter({
      name: 'recaudo_request_log_left_out_total',
      help: 'Calls that were answered and are not in the request log of their account',
      registers,
    }),
    spansDropped: new Counter({
      name: 'recaudo_spans_dropped_total',
      help: 'Spans of traces that no receiver took',
      registers,
    }),
    reads: new Counter({
      name: 'recaudo_reads_total',
      help: 'Reads that a replica may answer, by the side that did, and why',
      labelNames: ['side', 'why'],
      registers,
    }),
    replicaInUse: new Gauge({
      name: 'recaudo_replica_in_use',
      help: '1 while the replica is asked, 0 while it is not or there is none; of processes the least',
      registers,
      aggregator: 'min',
    }),
    replicaLag: new Gauge({
      name: 'recaudo_replica_lag_seconds',
      help: 'How long ago what the replica lacks was on the primary, to the second; of processes the most',
      registers,
      aggregator: 'max',
    }),
  };
}

/** The response of /metrics: of one process, or the sum of several. */
export interface Measures {
  contentType: string;
  metrics(): Promise<string>;
}

/** Serves /metrics on a separate port, never on the public origin. */
export function serveMetrics(measures: Measures, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    measures.metrics().then(
      (text) => response.writeHead(200, { 'content-type': measures.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portTaken(error, 'METRICS_PORT')));
    server.listen(port, host, () => resolve(server));
  });
}
