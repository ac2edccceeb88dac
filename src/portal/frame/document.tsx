import { renderToString } from 'preact-render-to-string';
import { icon, styles } from '../../platform/pages/assets.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { type Failure, frameTexts } from './texts.ts';
import type { AccountVisit, OpenVisit, OwnVisit, Page, ServiceVisit } from './visit.ts';

/** Whoever a page is shown to. */
export type Visit = OpenVisit | OwnVisit | AccountVisit | ServiceVisit;

/** A whole page as text. Everything that is not markup of ours is escaped by Preact. */
export function documentOf(visit: Visit, { title, body }: Page, sandbox: boolean): string {
  const texts = frameTexts[visit.lang];
  const account = 'account' in visit ? visit.account : null;
  const html = (
    <html lang={visit.lang === 'es' ? 'es-AR' : 'en'}>
      <head>
        <meta charset="utf-8" />
        <title>{account === null ? title : `${title} · ${account.name}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={icon.path} type="image/svg+xml" />
        <link rel="stylesheet" href={styles.path} />
      </head>
      <body>
        {sandbox && <aside class="sandbox-bar">{texts.sandbox}</aside>}
        <header class="top">
          <div class="top-inner">
            <p class="issuer">{account === null ? 'Recaudo' : <bdi>{account.name}</bdi>}</p>
            {'user' in visit && <Own visit={visit} />}
          </div>
        </header>
        <main>{body}</main>
      </body>
    </html>
  );
  return `<!DOCTYPE html>${renderToString(html)}`;
}

function Own({ visit }: { visit: OwnVisit }) {
  const texts = frameTexts[visit.lang];
  return (
    <form method="post" action="/portal/sign-out">
      <input type="hidden" name="token" value={visit.token('/portal/sign-out')} />
      <a href="/portal">{texts.portal}</a> <a href="/portal/me">{texts.me}</a>{' '}
      <button type="submit">{texts.signOut}</button>
    </form>
  );
}

/** What is shown where a page cannot be. */
export function failurePage(lang: Lang, failure: Failure, requestId: string): Page {
  const texts = frameTexts[lang];
  const { title, body } = texts.failures[failure];
  return {
    title,
    body: (
      <>
        <h1>{title}</h1>
        <p>{body}</p>
        {failure === 'failed' && (
          <p>
            {texts.requestId}: <code>{requestId}</code>
          </p>
        )}
        <p>
          <a href="/portal">{texts.back}</a>
        </p>
      </>
    ),
  };
}
