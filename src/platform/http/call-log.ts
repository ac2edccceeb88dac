import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorText } from '../actor.ts';
import type { Clock } from '../clocks.ts';
import type { Log } from '../log.ts';
import { sampled } from '../log-sampling.ts';
import type { Metrics } from '../metrics.ts';
import { addressOf } from './callers.ts';

/** Interval between log lines of aborted calls. */
const abortLogIntervalMs = 10_000;

/** Caches the histogram's label look-ups. */
function observer({ httpSeconds }: Metrics) {
  const known = new Map<string, { observe(seconds: number): void }>();
  return (method: string, route: string, status: number, seconds: number): void => {
    const name = `${method} ${route} ${status}`;
    const series = known.get(name) ?? httpSeconds.labels({ method, route, status });
    known.set(name, series);
    series.observe(seconds);
  };
}

/**
 * Returns the caller for the log: the key's prefix and number (never the key), or the page's user.
 */
const callerOf = ({ ctx, visitor }: FastifyRequest) =>
  ctx ? { account: ctx.accountId, key: actorText(ctx.actor) } : visitor;

/** Logs and measures every call. Samples the log lines of aborted ones. */
export function logCalls(
  app: FastifyInstance,
  { log, metrics, wall }: { log: Log; metrics: Metrics; wall: Clock },
): void {
  const observe = observer(metrics);
  const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
    time: wall.nowMs(),
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...callerOf(request),
    address: addressOf(request),
  });
  const tellAborted = sampled<ReturnType<typeof lineOf>>(wall, abortLogIntervalMs, (line, others) =>
    log.aborted({ ...line, others }),
  );
  app.addHook('onResponse', (request, reply, done) => {
    const line = lineOf(request, reply);
    if (reply.raw.writableFinished) {
      observe(line.method, line.route, line.status, reply.elapsedTime / 1000);
      log.answered(line);
    } else {
      observe(line.method, line.route, givenUp, reply.elapsedTime / 1000);
      tellAborted(line);
    }
    done();
  });
}

/** Status of an aborted call in the metrics. */
const givenUp = 499;
