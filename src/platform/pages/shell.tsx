import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { maskCardsInMarkup } from '../../kernel/card-text.ts';
import { isolated } from '../../kernel/text.ts';
import { icon } from './assets.ts';
import { cuitText } from './format.ts';
import type { Issuer, PageModel } from './model.ts';
import { frameTexts } from './texts.ts';

type ShellProps = {
  page: PageModel;
  title: string;
  issuer?: Issuer;
  /** The page's subject, next to the issuer: `Cobro N.º 5`. */
  subject?: string;
  sandbox?: boolean;
  /** Renders only the content, for a screen that someone scans. */
  bare?: boolean;
  children: ComponentChildren;
};

/** Renders a whole document, including the doctype. Preact escapes everything from the model. */
export function htmlDocument({ bare = false, ...props }: ShellProps): string {
  const body = bare ? (
    <body class="bare">
      <main>{props.children}</main>
    </body>
  ) : (
    <Framed {...props} />
  );
  return documentText(props, body);
}

/** Wraps a body in a document. Masks card numbers in its texts (`maskCardsInMarkup`). */
export function documentText(
  { page, title, issuer }: Pick<ShellProps, 'page' | 'title' | 'issuer'>,
  body: ComponentChildren,
): string {
  const markup = renderToString(
    <html lang={page.lang === 'es' ? 'es-AR' : 'en'}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={icon.path} type="image/svg+xml" />
        <link rel="stylesheet" href={page.assets.css} />
        {issuer?.sheet !== undefined && <link rel="stylesheet" href={issuer.sheet} />}
        {page.assets.js !== undefined && <script type="module" src={page.assets.js} />}
      </head>
      {body}
    </html>,
  );
  return `<!DOCTYPE html>${maskCardsInMarkup(markup)}`;
}

/** Returns a path in the current language. Default: the page's own. */
export const localized = (page: PageModel, path = page.pageUrl): string =>
  page.lang === 'es' ? path : `${path}?lang=${page.lang}`;

function Framed({ page, issuer, subject, sandbox = false, children }: ShellProps) {
  const words = frameTexts[page.lang];
  return (
    <body>
      {sandbox && <aside class="sandbox-bar">{words.sandboxNotice}</aside>}
      <header class="top">
        <div class="top-inner">
          <div class="who">
            {issuer?.logo !== undefined && <Logo logo={issuer.logo} />}
            <Identity issuer={issuer} lang={page.lang} subject={subject} />
          </div>
          <OtherLanguage page={page} />
        </div>
      </header>
      <main>{children}</main>
      <footer class="foot">
        {issuer?.about !== undefined && (
          <p>
            {issuer.about.map((one, index) => (
              <span key={one}>
                {index > 0 && ' · '}
                <bdi>{one}</bdi>
              </span>
            ))}
          </p>
        )}
        {issuer !== undefined && <p>{words.processedBy({ issuer: isolated(issuer.name) })}</p>}
        <p>{words.neverAsk}</p>
      </footer>
    </body>
  );
}

const logoBox = { width: 120, height: 44 } as const;

/**
 * Renders the logo. It is decorative. Its background is white even in dark mode, because it was
 * drawn for white.
 */
function Logo({ logo: { path, width, height } }: { logo: NonNullable<Issuer['logo']> }) {
  const share = Math.min(logoBox.width / width, logoBox.height / height);
  return (
    <img
      class="logo"
      src={path}
      alt=""
      width={Math.max(1, Math.round(width * share))}
      height={Math.max(1, Math.round(height * share))}
    />
  );
}

type IdentityProps = {
  issuer: Issuer | undefined;
  lang: PageModel['lang'];
  subject: string | undefined;
};

function Identity({ issuer, lang, subject }: IdentityProps) {
  const words = frameTexts[lang];
  if (issuer === undefined) return <p class="issuer">Recaudo</p>;
  return (
    <div class="identity">
      <p class="issuer">
        <bdi>{issuer.name}</bdi>
      </p>
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
      {frameTexts[page.lang].otherLanguage}
    </a>
  );
}
