import type { Lang } from '../../platform/pages/model.ts';
import type { AccountAct } from '../../users/index.ts';
import type { Destination } from './layout.tsx';
import type { AccountVisit } from './visit.ts';

type Place = { readonly act: AccountAct; readonly path: string } & Readonly<Record<Lang, string>>;

/** Where an account's pages begin, in the order in which they are offered. */
const places: readonly Place[] = [
  { act: 'home.see', path: '/', es: 'Inicio', en: 'Home' },
  { act: 'requests.see', path: '/imports', es: 'Emisión masiva', en: 'Imports' },
  { act: 'money.see', path: '/money', es: 'Dinero', en: 'Money' },
  { act: 'integrations.see', path: '/integrations', es: 'Integraciones', en: 'Integrations' },
  { act: 'users.manage', path: '/settings/users', es: 'Usuarios', en: 'Users' },
];

/** The pages that somebody may read for an account; the one that he reads, or is below, is marked. */
export const navigationOf = ({ lang, path, at, may }: AccountVisit): Destination[] =>
  places
    .filter(({ act }) => may(act))
    .map((place) => {
      const href = at(place.path);
      const below = place.path !== '/' && path.startsWith(`${href}/`);
      return { href, label: place[lang], current: path === href || below };
    });
