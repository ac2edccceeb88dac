import { paymentRequestOperations } from '../../payment-requests/operations.ts';
import type { Base } from '../../platform/base.ts';
import { declaredPages } from '../frame/declared.tsx';
import { type AccountVisit, type Answer, ctxOf, type Portal } from '../frame/index.ts';
import { bulkPages } from './list/bulk-routes.ts';
import { filePages } from './list/file-routes.ts';
import { type FilterParts, filterPages, placeOf } from './list/filter-routes.ts';
import { listPage, rowsAtOnce } from './list/list.tsx';
import { queryOf, readListQuery, saysNothing } from './list/query.ts';
import { type NewParts, newPages } from './new/routes.ts';
import type { OneParts } from './one/model.ts';
import { onePages } from './one/routes.ts';

export type RequestParts = OneParts & NewParts & FilterParts & { base: Base };

export function requestPages(portal: Portal, parts: RequestParts): void {
  const { requests, clocks } = parts;
  portal.page({
    act: 'requests.see',
    path: '/requests',
    async read(visit: AccountVisit): Promise<Answer> {
      const query = readListQuery(visit.query);
      if (saysNothing(visit.query)) {
        return { to: visit.at('/requests') + queryOf(query.values) };
      }
      const ctx = ctxOf(visit);
      const { search } = query;
      const [found, total, saved] = await Promise.all([
        search === null ? [] : requests.search(ctx, search, rowsAtOnce + 1),
        search && requests.total(ctx, search),
        parts.users.savedFilters(placeOf(visit)),
      ]);
      return listPage(visit, { asked: query, found, total, saved, today: clocks.business.today() });
    },
  });
  filePages(portal, parts);
  filterPages(portal, parts);
  bulkPages(portal, parts);
  newPages(portal, parts);
  onePages(portal, parts);
  declaredPages(portal, paymentRequestOperations, parts);
}
