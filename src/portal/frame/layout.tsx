import type { ComponentChildren } from 'preact';
import type { Lang, PageModel } from '../../platform/pages/model.ts';
import { documentText } from '../../platform/pages/shell.tsx';
import { frameTexts } from '../../platform/pages/texts.ts';
import { assetPaths } from './assets.ts';
import { layoutTexts } from './layout-texts.ts';

export interface Destination {
  readonly href: string;
  readonly label: string;
  /** True for this page and its children. */
  readonly current?: boolean;
}

interface FrameUser {
  readonly id: number;
  readonly name: string;
  readonly signOutToken: string;
  /** Minutes after which an unused session ends. */
  readonly idleMinutes: number;
}

export interface Frame {
  readonly lang: Lang;
  /** The current path. */
  readonly pageUrl: string;
  /** Address of this page in the other language, with its filters, or null. */
  readonly otherLanguage: string | null;
  readonly sandbox: boolean;
  readonly user: FrameUser | null;
  /** The page's account. Null on pages of the service and before sign-in. */
  readonly account: { readonly id: string; readonly name: string } | null;
  /** True on pages of the service itself. */
  readonly service?: boolean;
  /** Address of the sandbox's page, for users with access. */
  readonly play?: string | null;
  /** Pages that the user may read here. */
  readonly navigation: readonly Destination[];
}

type PortalPage = {
  frame: Frame;
  title: string;
  assets?: PageModel['assets'];
  children: ComponentChildren;
};

export function portalDocument(page: PortalPage): string {
  const { frame, title, assets = assetPaths, children } = page;
  const { lang, pageUrl, navigation, user } = frame;
  const texts = layoutTexts[lang];
  return documentText(
    { page: { lang, assets, pageUrl }, title: texts.title({ page: title }) },
    <body class={navigation.length > 0 ? 'portal' : 'portal portal-alone'} data-user={user?.id}>
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      {frame.sandbox && (
        <aside class="sandbox-bar">
          {frameTexts[lang].sandboxNotice} {frame.play && <a href={frame.play}>{texts.play}</a>}
        </aside>
      )}
      <Top {...frame} />
      {user !== null && <SessionNotice lang={lang} idleMinutes={user.idleMinutes} />}
      <div class="portal-body">
        {navigation.length > 0 && <Navigation lang={lang} pages={navigation} place="side" />}
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </body>,
  );
}

function Top(frame: Frame) {
  const { lang, account, user, navigation } = frame;
  const texts = layoutTexts[lang];
  return (
    <header class="top">
      {navigation.length > 0 && (
        <details class="menu">
          <summary>{texts.menu}</summary>
          <Navigation lang={lang} pages={navigation} place="menu" />
        </details>
      )}
      <p class="brand">Recaudo</p>
      {account !== null && <AccountSwitcher lang={lang} account={account} />}
      {frame.service && <p class="account">{texts.service}</p>}
      <div class="top-end">
        <OtherLanguage {...frame} />
        {user !== null && <OwnMenu lang={lang} user={user} />}
      </div>
    </header>
  );
}

/**
 * Renders the navigation. Each page contains it twice: as a sidebar and, on narrow screens, as a
 * menu. CSS hides one of them.
 */
function Navigation(props: { lang: Lang; pages: readonly Destination[]; place: 'side' | 'menu' }) {
  const { lang, pages, place } = props;
  return (
    <nav class={`nav nav-${place}`} aria-label={layoutTexts[lang].sections}>
      <ul>
        {pages.map(({ href, label, current = false }) => (
          <li key={href}>
            <a href={href} aria-current={current ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SwitcherProps = { lang: Lang; account: { id: string; name: string } };

function AccountSwitcher({ lang, account }: SwitcherProps) {
  const texts = layoutTexts[lang];
  return (
    <p class="account">
      <span class="unseen">{texts.account}: </span>
      <bdi>{account.name}</bdi> <span class="account-id">{account.id}</span>{' '}
      <a class="elsewhere" href="/portal">
        {texts.otherAccounts}
      </a>
    </p>
  );
}

function OtherLanguage({ lang, otherLanguage }: Frame) {
  const other = lang === 'es' ? 'en' : 'es';
  if (otherLanguage === null) return null;
  return (
    <a class="language" href={otherLanguage} lang={other} hreflang={other}>
      {frameTexts[lang].otherLanguage}
    </a>
  );
}

function OwnMenu({ lang, user }: { lang: Lang; user: { name: string; signOutToken: string } }) {
  const texts = layoutTexts[lang];
  return (
    <details class="own dropdown">
      <summary>
        <span class="unseen">{texts.you}: </span>
        <bdi>{user.name}</bdi>
      </summary>
      <div class="dropdown-body">
        <a href="/portal/me">{texts.ownPage}</a>
        <form method="post" action="/portal/sign-out">
          <input type="hidden" name="token" value={user.signOutToken} />
          <button type="submit" class="button button-quiet">
            {texts.signOut}
          </button>
        </form>
      </div>
    </details>
  );
}

/** Renders the notice that scripts show before an unused session ends, and when it has ended. */
function SessionNotice({ lang, idleMinutes }: { lang: Lang; idleMinutes: number }) {
  const { soon, stay, over } = layoutTexts[lang].session;
  return (
    <div class="session-notice" aria-live="assertive" hidden data-idle-minutes={idleMinutes}>
      <p data-session-soon>{soon}</p>
      <p data-session-over hidden>
        {over}
      </p>
      <button type="button" class="button button-quiet" data-session-stay>
        {stay}
      </button>
    </div>
  );
}

type PageHeadProps = {
  title: string;
  lead?: ComponentChildren;
  /** The parent page. */
  up?: Destination;
  actions?: ComponentChildren;
};

export function PageHead({ title, lead, up, actions }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        {up !== undefined && (
          <a class="up" href={up.href}>
            ← {up.label}
          </a>
        )}
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </div>
  );
}
