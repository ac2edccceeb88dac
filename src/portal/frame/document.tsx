import type { Lang } from '../../platform/pages/model.ts';
import { mayDo } from '../../users/index.ts';
import { type Frame, PageHead, portalDocument } from './layout.tsx';
import { navigationOf, serviceNavigationOf } from './navigation.ts';
import { type Failure, frameTexts } from './texts.ts';
import type { AccountVisit, OpenVisit, OwnVisit, Page, ServiceVisit } from './visit.ts';

export type Visit = OpenVisit | OwnVisit | AccountVisit | ServiceVisit;

/** Facts of the site that every page shows. */
export interface Site {
  sandbox: boolean;
  /** Minutes after which an unused session ends. */
  idleMinutes: number;
}

/**
 * Returns the page's address in the other language, with its query, or null if the page's own
 * address is unknown.
 */
function otherLanguage({ page, lang }: Visit): string | null {
  if (page === null) return null;
  const [path, query] = page.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('lang', lang === 'es' ? 'en' : 'es');
  return `${path}?${parameters}`;
}

function navigationFor(visit: Visit, sandbox: boolean): Frame['navigation'] {
  if ('account' in visit) return navigationOf(visit);
  return 'role' in visit ? serviceNavigationOf(visit, sandbox) : [];
}

const playFor = (visit: Visit): string | null =>
  'user' in visit && mayDo(visit.user.service_role, 'sandbox.play')
    ? '/portal/operator/sandbox'
    : null;

function frameOf(visit: Visit, { sandbox, idleMinutes }: Site): Frame {
  return {
    lang: visit.lang,
    pageUrl: visit.path,
    otherLanguage: otherLanguage(visit),
    sandbox,
    user:
      'user' in visit
        ? {
            id: visit.user.id,
            name: visit.user.name,
            signOutToken: visit.token('/portal/sign-out'),
            idleMinutes,
          }
        : null,
    account: 'account' in visit ? visit.account : null,
    service: 'role' in visit && !('account' in visit),
    play: sandbox ? playFor(visit) : null,
    navigation: navigationFor(visit, sandbox),
  };
}

/** Renders a whole page. Preact escapes everything that is not our markup. */
export function documentOf(visit: Visit, { title, body }: Page, site: Site): string {
  const named = 'account' in visit ? `${title} · ${visit.account.name}` : title;
  return portalDocument({ frame: frameOf(visit, site), title: named, children: body });
}

export function failurePage(lang: Lang, failure: Failure, requestId: string): Page {
  const texts = frameTexts[lang];
  const { title, body } = texts.failures[failure];
  return {
    title,
    body: (
      <>
        <PageHead title={title} lead={body} />
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
