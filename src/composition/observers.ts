import type { AddressInfo } from 'node:net';
import { type Config, hostInUrl } from '../config/index.ts';
import { wallClock } from '../platform/clocks.ts';
import { createMetrics, type Metrics, serveMetrics } from '../platform/metrics.ts';
import type { Company } from '../platform/processes/company.ts';
import { createTracer, type Tracer } from '../platform/tracing.ts';
import { version } from '../version.ts';

/**
 * Opens metrics and traces of the process. Without the address of a receiver, nothing is traced.
 */
export function openObservers(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio }: Config,
  opened: (() => Promise<unknown>)[],
): { metrics: Metrics; tracer: Tracer | null } {
  const metrics = createMetrics();
  if (endpoint === null) return { metrics, tracer: null };
  const drop = (spans: number) => metrics.spansDropped.inc(spans);
  const tracer = createTracer({ endpoint, ratio, version, nowMs: wallClock.nowMs, drop });
  opened.push(tracer.close);
  return { metrics, tracer };
}

/** Exposes the metrics: at a separate address, or to the primary of the machine's processes. */
export async function showMeasures(
  { registry }: Metrics,
  config: Config,
  company: Company | null,
): Promise<{ url: string; close: () => Promise<unknown> }> {
  if (company) {
    company.measures(registry);
    return { url: '', close: async () => {} };
  }
  const server = await serveMetrics(registry, config.METRICS_HOST, config.METRICS_PORT);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${hostInUrl(config.METRICS_HOST)}:${port}/metrics`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
