import { type ApiKey, findCalls } from '../../accounts/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Portal } from '../frame/index.ts';
import { parseFilters, placeIn, placeText, queryIn } from './filters.ts';
import { callsPage } from './views.tsx';

export interface CallParts {
  base: Pick<Base, 'sql'>;
  keys: { list(accountId: string): Promise<ApiKey[]> };
}

const callsAtOnce = 50;

export function callPages(portal: Portal, { base, keys }: CallParts): void {
  portal.page({
    act: 'log.see',
    path: '/log',
    async read(visit) {
      const { id } = visit.account;
      const known = await keys.list(id);
      const logQuery = queryIn(visit.query);
      const { filters, faults } = parseFilters(logQuery, known);
      const after = placeIn(visit.query);
      const page = { after, limit: callsAtOnce + 1 };
      const { calls, leftOut } = await findCalls(base.sql, id, filters, page);
      const pageRows = calls.slice(0, callsAtOnce);
      const last = calls.length > callsAtOnce ? pageRows.at(-1) : undefined;
      return callsPage(visit, {
        logQuery,
        faults,
        keys: known,
        calls: pageRows,
        leftOut,
        isFirst: after === null,
        behind: last ? placeText(last) : null,
      });
    },
  });
}
