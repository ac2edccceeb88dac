import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clocks.ts';
import { givenUp, pathOf } from './calls/call.ts';
import type { CallLog } from './calls/record.ts';

/** Keeps each call that came with a key, once it was answered or given up. */
export function keepCalls(app: FastifyInstance, calls: CallLog, wall: Clock): void {
  app.addHook('onResponse', ({ ctx, id, method, url }, reply, done) => {
    if (ctx) {
      const { accountId, actor } = ctx;
      const ms = Math.round(reply.elapsedTime);
      calls.note({
        accountId,
        atMs: wall.nowMs() - ms,
        requestId: id,
        method,
        path: pathOf(url),
        status: reply.raw.writableFinished ? reply.statusCode : givenUp,
        ms,
        keyId: actor.kind === 'key' ? actor.id : null,
      });
    }
    done();
  });
}
