import { type AccountVisit, type Answer, ctxOf, type Portal } from '../frame/index.ts';
import { filePages } from './list/file-routes.ts';
import { type FilterParts, filterPages, placeOf } from './list/filter-routes.ts';
import { listPage, rowsAtOnce } from './list/list.tsx';
import { langAsked, queryOf, readAsked, saysNothing } from './list/query.ts';
import { type NewParts, newPages } from './new/routes.ts';
import type { OneParts } from './one/model.ts';
import { onePages } from './one/routes.ts';

export type RequestParts = OneParts & NewParts & FilterParts;

/** Pages of payment requests: list, one, new. */
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
      const [found, saved] = await Promise.all([
        asked.search === null ? [] : requests.search(ctxOf(visit), asked.search, rowsAtOnce + 1),
        parts.users.savedFilters(placeOf(visit)),
      ]);
      return listPage(visit, { asked, found, saved, today: clocks.business.today() });
    },
  });
  filePages(portal, parts);
  filterPages(portal, parts);
  newPages(portal, parts);
  onePages(portal, parts);
}
