import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { cuitText } from './format.ts';
import type { Issuer, PageModel } from './model.ts';
import { texts } from './texts.ts';

type ShellProps = {
  page: PageModel;
  title: string;
  issuer?: Issuer;
  id?: number;
  sandbox?: boolean;
  children: ComponentChildren;
};

/** A whole document as text: doctype and all. Everything from the model is escaped by Preact. */
export function htmlDocument(props: ShellProps): string {
  return `<!DOCTYPE html>${renderToString(<Shell {...props} />)}`;
}

function Shell({ page, title, issuer, id, sandbox = false, children }: ShellProps) {
  const words = texts[page.lang];
  return (
    <html lang={page.lang === 'es' ? 'es-AR' : 'en'}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light" />
        <link rel="stylesheet" href={page.assets.css} />
        <script type="module" src={page.assets.js} />
      </head>
      <body>
        {sandbox && <p class="sandbox-bar">{words.sandboxNotice}</p>}
        <header class="top">
          <div class="top-inner">
            <Identity issuer={issuer} lang={page.lang} id={id} />
            <OtherLanguage page={page} />
          </div>
        </header>
        <main>{children}</main>
        <footer class="foot">
          {issuer !== undefined && <p>{words.processedBy(issuer.name)}</p>}
          <p>{words.neverAsk}</p>
        </footer>
      </body>
    </html>
  );
}

type IdentityProps = {
  issuer: Issuer | undefined;
  lang: PageModel['lang'];
  id: number | undefined;
};

function Identity({ issuer, lang, id }: IdentityProps) {
  const words = texts[lang];
  if (issuer === undefined) return <p class="issuer">Recaudo</p>;
  return (
    <div class="identity">
      <p class="issuer">{issuer.name}</p>
      <p class="issuer-line">
        {issuer.cuit !== undefined && (
          <span>
            {words.cuit} {cuitText(issuer.cuit)}
          </span>
        )}
        {id !== undefined && (
          <span>
            {words.request} {id}
          </span>
        )}
      </p>
    </div>
  );
}

function OtherLanguage({ page }: { page: PageModel }) {
  const other = page.lang === 'es' ? 'en' : 'es';
  return (
    <a class="language" href={`${page.pageUrl}?lang=${other}`} lang={other} hreflang={other}>
      {texts[page.lang].otherLanguage}
    </a>
  );
}
