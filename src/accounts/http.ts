export { type AccountFilters, findAccounts, type ListedAccount } from './find.ts';

import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clocks.ts';
import type { App } from '../platform/http/server.ts';
import { givenUp, pathOf } from './calls/call.ts';
import type { CallLog } from './calls/record.ts';

/** Logs each call with a key once it is completed or aborted. */
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

const logoTypes: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg' };

/** Serves logos, each at an address derived from its content. */
export function logoRoutes(
  app: App,
  readLogo: (accountId: string, hash: string) => Promise<Buffer | null>,
): void {
  const path = '/page-assets/logo/:account_id/:file';
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const { account_id: accountId = '', file = '' } = request.params as Record<string, string>;
    const [, hash, ending = ''] = /^([0-9a-f]{64})\.(png|jpg)$/.exec(file) ?? [];
    const content = hash === undefined ? null : await readLogo(accountId, hash);
    const type = logoTypes[ending];
    if (content === null || type === undefined) {
      return reply.code(404).type('text/plain').header('cache-control', 'no-store').send('');
    }
    return reply
      .type(type)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(content);
  });
}
