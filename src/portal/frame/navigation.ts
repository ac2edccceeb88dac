import type { Lang } from '../../platform/pages/model.ts';
import type { AccountAct, Act, ServiceAct } from '../../users/index.ts';
import type { Destination } from './layout.tsx';
import type { AccountVisit, ServiceVisit } from './visit.ts';

type Place<A extends Act> = {
  readonly act: A;
  readonly path: string;
  /** Where pages stand that one comes to from this one. */
  readonly also?: readonly string[];
} & Readonly<Record<Lang, string>>;

/** Where an account's pages begin, in the order in which they are offered. */
const places: readonly Place<AccountAct>[] = [
  { act: 'home.see', path: '/', es: 'Inicio', en: 'Home' },
  {
    act: 'requests.see',
    path: '/requests',
    also: ['/refunds'],
    es: 'Cobros',
    en: 'Payment requests',
  },
  { act: 'requests.see', path: '/disputes', es: 'Disputas', en: 'Disputes' },
  { act: 'imports.see', path: '/imports', es: 'Emisión masiva', en: 'Imports' },
  { act: 'mandates.see', path: '/mandates', es: 'Adhesiones', en: 'Mandates' },
  { act: 'debits.see', path: '/debits', es: 'Débitos', en: 'Debits' },
  { act: 'qr.see', path: '/qr', es: 'QR', en: 'QR' },
  { act: 'money.see', path: '/money', es: 'Dinero', en: 'Money' },
  { act: 'reports.see', path: '/reports', es: 'Reportes', en: 'Reports' },
  {
    act: 'integrations.see',
    path: '/integrations',
    also: ['/webhooks', '/log'],
    es: 'Integraciones',
    en: 'Integrations',
  },
  { act: 'settings.see', path: '/settings', es: 'Ajustes', en: 'Settings' },
  // Of the settings the one that everybody has, for those who see no others.
  { act: 'notices.choose', path: '/settings/notifications', es: 'Avisos', en: 'Notifications' },
];

/** The same of the service: a page that is not listed is not linked to. */
const servicePlaces: readonly Place<ServiceAct>[] = [
  { act: 'health.see', path: '/', es: 'Inicio', en: 'Home' },
  { act: 'files.see', path: '/files', es: 'Archivos', en: 'Files' },
  { act: 'suspense.see', path: '/suspense', es: 'Sin identificar', en: 'Unknown payments' },
  { act: 'alarms.see', path: '/alarms', es: 'Alarmas', en: 'Alarms' },
  { act: 'alarms.see', path: '/disputes', es: 'Disputas', en: 'Disputes' },
  { act: 'alarms.see', path: '/settlements', es: 'Liquidaciones', en: 'Settlements' },
  { act: 'payouts.see', path: '/payouts', es: 'Pagos a cuentas', en: 'Payouts' },
  { act: 'corrections.see', path: '/corrections', es: 'Correcciones', en: 'Corrections' },
  { act: 'accounts.see', path: '/accounts', es: 'Cuentas', en: 'Accounts' },
  { act: 'accounts.see', path: '/registers', es: 'Padrones', en: 'Registers' },
  { act: 'health.see', path: '/health', es: 'Salud', en: 'Health' },
  { act: 'operators.see', path: '/people', es: 'Operadores', en: 'Operators' },
  { act: 'audit_log.see', path: '/audit-log', es: 'Auditoría', en: 'Audit log' },
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
      return { href, label: place[lang], current: roots.includes(path) || below };
    });

/** The pages that somebody may read for an account; the one that he reads, or is below, is marked. */
export const navigationOf = (visit: AccountVisit): Destination[] =>
  offered(
    places.filter(({ act }) => act !== 'notices.choose' || !visit.may('settings.see')),
    visit,
  );

/** Where a test environment is played with. */
const sandboxPlace: Place<ServiceAct> = {
  act: 'sandbox.play',
  path: '/sandbox',
  es: 'Ambiente de prueba',
  en: 'Test environment',
};

/** The same of whoever works for the service. */
export const serviceNavigationOf = (visit: ServiceVisit, sandbox: boolean): Destination[] =>
  offered(sandbox ? [...servicePlaces, sandboxPlace] : servicePlaces, visit);

/** Where one of those pages stands; undefined where there is none for this reader. */
export const placeOf = (visit: ServiceVisit, path: string): string | undefined =>
  servicePlaces.some((place) => place.path === path && visit.may(place.act))
    ? visit.at(path)
    : undefined;
