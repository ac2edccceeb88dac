import type { Lang } from '../../platform/pages/model.ts';

/** What the frame of the portal's pages says. */
interface LayoutTexts {
  readonly skip: string;
  readonly menu: string;
  readonly sections: string;
  readonly account: string;
  readonly otherAccounts: string;
  readonly service: string;
  readonly play: string;
  readonly you: string;
  readonly ownPage: string;
  readonly signOut: string;
  readonly title: (page: string) => string;
}

export const layoutTexts: Readonly<Record<Lang, LayoutTexts>> = {
  es: {
    skip: 'Saltar al contenido',
    menu: 'Menú',
    sections: 'Secciones',
    account: 'Cuenta',
    otherAccounts: 'Otras cuentas',
    service: 'Operación del servicio',
    play: 'Reloj y pagos de prueba',
    you: 'Tu usuario',
    ownPage: 'Mi cuenta',
    signOut: 'Salir',
    title: (page) => `${page} · Recaudo`,
  },
  en: {
    skip: 'Skip to content',
    menu: 'Menu',
    sections: 'Sections',
    account: 'Account',
    otherAccounts: 'Other accounts',
    service: 'Operating the service',
    play: 'Clock and test payments',
    you: 'Your user',
    ownPage: 'My account',
    signOut: 'Sign out',
    title: (page) => `${page} · Recaudo`,
  },
};
