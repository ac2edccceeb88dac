import { findAccounts } from '../../../accounts/http.ts';
import type { Portal, ServiceVisit } from '../../frame/index.ts';
import { accountOf } from '../forms/account.ts';
import { changeRoutes } from './change-routes.tsx';
import { accountsPage } from './list.tsx';
import { type AccountPageParts, behindIn, lookedIn, readOne } from './model.ts';
import { accountPage } from './one.tsx';
import { accountsTexts } from './texts.ts';

export type { AccountPageParts } from './model.ts';

const rowsAtOnce = 50;

/** Returns the outcome of the last form, which is in the address, or undefined. */
function saidIn({ lang, query }: ServiceVisit): string | undefined {
  const texts = accountsTexts[lang];
  const closed = query.get('closed') ?? '';
  if (/^\d{1,9}$/.test(closed)) return texts.closedMandates({ count: Number(closed) });
  return query.has('sent') ? texts.sent : undefined;
}

export function operatorAccountPages(portal: Portal, parts: AccountPageParts): void {
  portal.page({
    act: 'accounts.see',
    path: '/accounts',
    async read(visit) {
      const looked = lookedIn(visit);
      const found = await findAccounts(parts.base.sql, looked, {
        behind: behindIn(visit),
        limit: rowsAtOnce + 1,
      });
      const accounts = found.slice(0, rowsAtOnce);
      const next = found.length > rowsAtOnce ? accounts.at(-1)?.id : undefined;
      return accountsPage(visit, { looked, accounts, next });
    },
  });
  portal.page({
    act: 'accounts.see',
    path: '/accounts/:id',
    async read(visit) {
      const account = await accountOf(visit, parts);
      return accountPage(visit, await readOne(parts, account), saidIn(visit));
    },
  });
  changeRoutes(portal, parts);
}
