import type { FastifyInstance } from 'fastify';
import type { Tracer } from '../tracing.ts';

/**
 * Opens a span for each call, named after its route, never after its address, which may contain
 * tokens.
 */
export function traceCalls(app: Pick<FastifyInstance, 'addHook'>, tracer: Tracer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const known = typeof traceparent === 'string' ? traceparent : undefined;
    request.span = tracer.begin(request.method, 'server', known);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    request.span?.end({
      name: `${request.method} ${route}`,
      failed: reply.statusCode >= 500,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'recaudo.request_id': request.id,
      },
    });
    done();
  });
}
