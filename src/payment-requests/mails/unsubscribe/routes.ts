import type { FastifyReply, FastifyRequest } from 'fastify';
import { issuerOf } from '../../../accounts/index.ts';
import { payer } from '../../../platform/actor.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Links } from '../../../platform/links.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { RequestKey } from '../../../requests/index.ts';
import type { StopVerbs } from '../stops.ts';
import type { ReadAccount } from '../write.ts';
import { unknownPage, unsubscribePage } from './page.tsx';

export interface UnsubscribeParts {
  links: Links;
  stops: StopVerbs;
  readAccount: ReadAccount;
  sandbox: boolean;
}

interface TokenRequest {
  Params: { token: string };
}

const hidden = { schema: { hide: true } };
const bodyLimit = 4 * 1024;

const langOf = ({ query }: Pick<FastifyRequest, 'query'>): Lang =>
  (query as { lang?: unknown } | null | undefined)?.lang === 'en' ? 'en' : 'es';

/**
 * Serves the links in emails to payers, and mail programs' one-click posts (RFC 8058). Such posts
 * arrive in any content type, from any origin, and only their URL counts.
 */
export async function unsubscribeRoutes(app: App, parts: UnsubscribeParts): Promise<void> {
  const { links, stops, readAccount, sandbox } = parts;

  const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(page);

  const keyIn = (token: string): RequestKey | null => {
    const named = links.keyOf(token, 'unsubscribe');
    return named && { accountId: named.accountId, id: named.id };
  };

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    does: ((key: RequestKey) => Promise<void>) | null,
  ): Promise<FastifyReply> => {
    const { token } = request.params as TokenRequest['Params'];
    const [lang, path] = [langOf(request), `/unsubscribe/${token}`];
    const key = keyIn(token);
    const account = key && (await readAccount(key.accountId));
    if (key && account) await does?.(key);
    const found = key && account && (await stops.find(key));
    if (!found || !account) return send(reply, 404, unknownPage(lang, '/'));
    const page = unsubscribePage({
      lang,
      path,
      issuer: issuerOf(account),
      ...found,
      resumed: does !== null && !found.stopped,
      sandbox,
    });
    return send(reply, 200, page);
  };

  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, async () => null);
    pages.get<TokenRequest>('/unsubscribe/:token', hidden, (request, reply) =>
      show(request, reply, null),
    );
    pages.post<TokenRequest>('/unsubscribe/:token', hidden, (request, reply) =>
      show(request, reply, (key) => stops.stop(key, payer)),
    );
    pages.get<TokenRequest>('/unsubscribe/:token/undo', hidden, (request, reply) =>
      show(request, reply, null),
    );
    pages.post<TokenRequest>('/unsubscribe/:token/undo', hidden, (request, reply) =>
      show(request, reply, (key) => stops.resume(key, payer)),
    );
  });
}
