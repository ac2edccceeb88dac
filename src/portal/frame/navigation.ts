import type { Lang } from '../../platform/pages/model.ts';
import type { AccountAct, Act, ServiceAct } from '../../users/index.ts';
import type { Destination } from './layout.tsx';
import { layoutTexts } from './layout-texts.ts';
import type { AccountVisit, ServiceVisit } from './visit.ts';

type Place<A extends Act> = {
  readonly act: A;
  readonly path: string;
  /** Paths of pages that this one links to, and which mark it as current. */
  readonly also?: readonly string[];
  readonly name: keyof (typeof layoutTexts)[Lang]['places'];
};

/** An account's main pages, in order. */
const places: readonly Place<AccountAct>[] = [
  { act: 'home.see', path: '/', name: 'home' },
  {
    act: 'requests.see',
    path: '/requests',
    also: ['/refunds'],
    name: 'requests',
  },
  { act: 'requests.see', path: '/disputes', name: 'disputes' },
  { act: 'imports.see', path: '/imports', name: 'imports' },
  { act: 'mandates.see', path: '/mandates', name: 'mandates' },
  { act: 'debits.see', path: '/debits', name: 'debits' },
  { act: 'qr.see', path: '/qr', name: 'qr' },
  { act: 'money.see', path: '/money', name: 'money' },
  { act: 'reports.see', path: '/reports', name: 'reports' },
  {
    act: 'integrations.see',
    path: '/integrations',
    also: ['/webhooks', '/log'],
    name: 'integrations',
  },
  { act: 'settings.see', path: '/settings', name: 'settings' },
  // The only setting of users without access to others.
  { act: 'notices.choose', path: '/settings/notifications', name: 'notices' },
];

/** The service's main pages, in order. Others have no link here. */
const servicePlaces: readonly Place<ServiceAct>[] = [
  { act: 'health.see', path: '/', name: 'home' },
  { act: 'files.see', path: '/files', name: 'files' },
  { act: 'suspense.see', path: '/suspense', name: 'suspense' },
  { act: 'alarms.see', path: '/alarms', name: 'alarms' },
  { act: 'alarms.see', path: '/disputes', name: 'disputes' },
  { act: 'alarms.see', path: '/settlements', name: 'settlements' },
  { act: 'payouts.see', path: '/payouts', name: 'payouts' },
  { act: 'corrections.see', path: '/corrections', name: 'corrections' },
  { act: 'accounts.see', path: '/accounts', name: 'accounts' },
  { act: 'accounts.see', path: '/history', name: 'history' },
  { act: 'accounts.see', path: '/registers', name: 'registers' },
  { act: 'health.see', path: '/health', name: 'health' },
  { act: 'operators.see', path: '/people', name: 'people' },
  { act: 'audit_log.see', path: '/audit-log', name: 'auditLog' },
];

type Reader<A extends Act> = Pick<AccountVisit, 'lang' | 'path' | 'at'> & {
  may(act: A): boolean;
};

const offered = <A extends Act>(
  all: readonly Place<A>[],
  { lang, path, at, may }: Reader<A>,
): Destination[] =>
  all
    .filter(({ act }) => may(act))
    .map((place) => {
      const href = at(place.path);
      const roots = [place.path, ...(place.also ?? [])].map(at);
      const below = place.path !== '/' && roots.some((root) => path.startsWith(`${root}/`));
      return {
        href,
        label: layoutTexts[lang].places[place.name],
        current: roots.includes(path) || below,
      };
    });

/** Returns the pages that a user may read for an account. Marks the current page or its parent. */
export const navigationOf = (visit: AccountVisit): Destination[] =>
  offered(
    places.filter(({ act }) => act !== 'notices.choose' || !visit.may('settings.see')),
    visit,
  );

const sandboxPlace: Place<ServiceAct> = {
  act: 'sandbox.play',
  path: '/sandbox',
  name: 'sandbox',
};

/** Returns the pages that a user of the service may read. */
export const serviceNavigationOf = (visit: ServiceVisit, sandbox: boolean): Destination[] =>
  offered(sandbox ? [...servicePlaces, sandboxPlace] : servicePlaces, visit);

/** Returns a page's address, or undefined if the user may not read it. */
export const placeOf = (visit: ServiceVisit, path: string): string | undefined =>
  servicePlaces.some((place) => place.path === path && visit.may(place.act))
    ? visit.at(path)
    : undefined;
