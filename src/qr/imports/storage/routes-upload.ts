import { Refusal } from '../../../platform/errors.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Links } from '../../../platform/links.ts';
import { largestDocument } from '../batch.ts';
import { uploadPath } from './postgres.ts';
import { notOurs, type ReceiveDocument, tooLarge } from './receive.ts';

/** Accepts PUT to the address from GET /bucket-url, which is itself the authorization. */
export function uploadRoutes(
  app: App,
  { links, receive }: { links: Links; receive: ReceiveDocument },
): void {
  app.register(async (scope) => {
    // Streams bodies of any type, as fast as they are stored.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.put<{ Params: { token: string } }>(
      `${uploadPath}/:token`,
      { schema: { hide: true } },
      async (request, reply) => {
        const key = links.keyOf(request.params.token, 'upload');
        if (!key) throw notOurs();
        try {
          if (Number(request.headers['content-length'] ?? 0) > largestDocument) throw tooLarge();
          // Leaves the socket open when reading stops, so that the client receives the response.
          await receive(key, request.raw.iterator({ destroyOnReturn: false }));
        } catch (error) {
          // Drains what a client is still sending, so that it receives the response. Cuts off a
          // document that is too large.
          if (error instanceof Refusal && error.kind === 'too_large') {
            reply.header('connection', 'close');
          } else {
            request.raw.resume();
          }
          throw error;
        }
        return reply.code(200).send();
      },
    );
  });
}
