import type { FastifyRequest } from 'fastify';
import type { App } from '../platform/http/server.ts';
import { styles } from '../platform/pages/assets.ts';
import type { Lang } from '../platform/pages/model.ts';
import { htmlDocument } from '../platform/pages/shell.tsx';
import { words } from './home-texts.ts';

const langOf = ({ query }: FastifyRequest): Lang =>
  (query as { lang?: unknown } | null)?.lang === 'en' ? 'en' : 'es';

/** Serves the root page, for visitors without a link. */
export function homeRoutes(app: App, { sandbox }: { sandbox: boolean }): void {
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    const lang = langOf(request);
    const { title, lead, link, safe, developers } = words[lang];
    const page = htmlDocument({
      page: { lang, assets: { css: styles.path }, pageUrl: '/' },
      title,
      sandbox,
      children: (
        <article class="card card-calm">
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
          <p>{link}</p>
          <p>{safe}</p>
          {sandbox && (
            <p>
              <a href="/docs">{developers}</a>
            </p>
          )}
        </article>
      ),
    });
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(page);
  });
}
