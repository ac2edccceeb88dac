import { cuitText } from '../../platform/pages/format.ts';
import type { Portal } from '../frame/index.ts';

const titles = { es: 'Inicio', en: 'Home' } as const;

/** Where work for an account begins. */
export function homePages(portal: Portal): void {
  portal.page({
    act: 'home.see',
    path: '/',
    read: async ({ lang, account }) => ({
      title: titles[lang],
      body: (
        <>
          <h1>{titles[lang]}</h1>
          <p>
            <bdi>{account.name}</bdi> · CUIT {cuitText(account.cuit)} · {account.id}
          </p>
        </>
      ),
    }),
  });
}
