import type { Refusal } from '../errors.ts';
import { refusalAnswer } from './answers.ts';
import type { App } from './server.ts';
import { sendError } from './server.ts';

export interface Health {
  environment: string;
  version: string;
  /** Returns why the process cannot serve now, or null if it can. */
  notReady(): Promise<Refusal | null>;
  /** Offered channels, and how to enable some if there are none. */
  channels: readonly string[];
  warning: string | null;
}

/** Adds ping, liveness and readiness, which need no key. */
export function operationRoutes(
  app: App,
  { environment, version, notReady, channels, warning }: Health,
): void {
  const hidden = { schema: { hide: true } };
  app.get('/status', hidden, (_request, reply) =>
    reply.send({ status: 'ok', service: 'recaudo', environment, version }),
  );
  app.get('/healthz', hidden, (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/readyz', hidden, async (_request, reply) => {
    const reason = await notReady();
    if (reason === null) {
      return reply.send({ status: 'ok', channels, ...(warning !== null && { warning }) });
    }
    return sendError(reply, refusalAnswer(reason));
  });
}
