import { type AccountVisit, type Answer, ctxOf, type Portal } from '../frame/index.ts';
import { listPage, rowsAtOnce } from './list/list.tsx';
import { langAsked, queryOf, readAsked, saysNothing } from './list/query.ts';
import { type NewParts, newPages } from './new/routes.ts';
import type { OneParts } from './one/model.ts';
import { onePages } from './one/routes.ts';

export type RequestParts = OneParts & NewParts;

/** What the account asks somebody to pay: list, one, new. */
export function requestPages(portal: Portal, parts: RequestParts): void {
  const { requests, clocks } = parts;
  portal.page({
    act: 'requests.see',
    path: '/requests',
    async read(visit: AccountVisit): Promise<Answer> {
      const asked = readAsked(visit.query);
      if (saysNothing(visit.query)) {
        return { to: visit.at('/requests') + queryOf(asked.values, langAsked(visit)) };
      }
      const found =
        asked.search === null
          ? []
          : await requests.search(ctxOf(visit), asked.search, rowsAtOnce + 1);
      return listPage(visit, { asked, found, today: clocks.business.today() });
    },
  });
  newPages(portal, parts);
  onePages(portal, parts);
}
