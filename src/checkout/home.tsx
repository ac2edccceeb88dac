import type { FastifyRequest } from 'fastify';
import type { App } from '../platform/http/server.ts';
import { styles } from '../platform/pages/assets.ts';
import type { Lang } from '../platform/pages/model.ts';
import { htmlDocument } from '../platform/pages/shell.tsx';

interface HomeWords {
  title: string;
  lead: string;
  link: string;
  safe: string;
  developers: string;
}

const words: Readonly<Record<Lang, HomeWords>> = {
  es: {
    title: 'Recaudo, cobros en línea',
    lead: 'Acá se pagan los cobros y se firman las adhesiones de quienes cobran con Recaudo.',
    link: '¿Te llegó un enlace? Abrilo completo, tal como te lo enviaron: cada cobro tiene el suyo. Si no lo encontrás, pedíselo de nuevo a quien te cobra.',
    safe: 'Antes de pagar, fijate que el nombre y el CUIT de quien cobra sean los que esperás.',
    developers: 'Documentación para programar contra el servicio',
  },
  en: {
    title: 'Recaudo, payments online',
    lead: 'This is where payment requests are paid and mandates are signed, for those who collect with Recaudo.',
    link: 'Did you get a link? Open all of it, as it was sent to you: every request has its own. If you cannot find it, ask whoever charges you to send it again.',
    safe: 'Before you pay, check that name and tax ID (CUIT) are those of the collector you expect.',
    developers: 'Documentation for those who build on the service',
  },
};

const langOf = ({ query }: FastifyRequest): Lang =>
  (query as { lang?: unknown } | null)?.lang === 'en' ? 'en' : 'es';

/** The page at the service's own address, for who comes without a link. */
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
