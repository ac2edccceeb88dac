import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { cuitText } from './format.ts';
import type { Issuer, PageModel } from './model.ts';
import { frameWords } from './words.ts';

type ShellProps = {
  page: PageModel;
  title: string;
  issuer?: Issuer;
  /** What the page is about, beside the issuer: `Pedido N.º 5`. */
  subject?: string;
  sandbox?: boolean;
  children: ComponentChildren;
};

/** A whole document as text: doctype and all. Everything from the model is escaped by Preact. */
export function htmlDocument(props: ShellProps): string {
  return `<!DOCTYPE html>${renderToString(<Shell {...props} />)}`;
}

function Shell({ page, title, issuer, subject, sandbox = false, children }: ShellProps) {
  const words = frameWords[page.lang];
  return (
    <html lang={page.lang === 'es' ? 'es-AR' : 'en'}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light" />
        <link rel="stylesheet" href={page.assets.css} />
        {page.assets.js !== undefined && <script type="module" src={page.assets.js} />}
      </head>
      <body>
        {sandbox && <p class="sandbox-bar">{words.sandboxNotice}</p>}
        <header class="top">
          <div class="top-inner">
            <Identity issuer={issuer} lang={page.lang} subject={subject} />
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
  subject: string | undefined;
};

function Identity({ issuer, lang, subject }: IdentityProps) {
  const words = frameWords[lang];
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
        {subject !== undefined && <span>{subject}</span>}
      </p>
    </div>
  );
}

function OtherLanguage({ page }: { page: PageModel }) {
  const other = page.lang === 'es' ? 'en' : 'es';
  return (
    <a class="language" href={`${page.pageUrl}?lang=${other}`} lang={other} hreflang={other}>
      {frameWords[page.lang].otherLanguage}
    </a>
  );
}
