import { listDisputes } from '../../money/disputes/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { numberIn, type Portal } from '../frame/index.ts';
import { requestPaths } from '../reports/request-links.ts';
import { accountPage, operatorPage, rowsAtOnce } from './list.tsx';
import { withThreeDs } from './model.ts';

export interface DisputeParts {
  base: Pick<Base, 'sql'>;
  clocks: Clocks;
}

/** Serves disputed payments with their deadlines, for an account and for the operator. */
export function disputePages(portal: Portal, { base, clocks }: DisputeParts): void {
  const modelOf = async (query: URLSearchParams, accountId: string | null) => {
    const all = query.has('all');
    const after = numberIn(query.get('after') ?? '') ?? 0;
    const rows = await listDisputes(base.sql, { accountId, all, after, limit: rowsAtOnce + 1 });
    return { rows: await withThreeDs(base.sql, rows), all, now: clocks.business.now() };
  };

  portal.page({
    act: 'requests.see',
    path: '/disputes',
    async read(visit) {
      const model = await modelOf(visit.query, visit.account.id);
      const ids = model.rows.map(({ request_id: id }) => id);
      return accountPage(visit, model, await requestPaths(base.sql, visit.account.id, ids));
    },
  });
  portal.page({
    act: 'alarms.see',
    path: '/disputes',
    read: async (visit) => operatorPage(visit, await modelOf(visit.query, null)),
  });
}
