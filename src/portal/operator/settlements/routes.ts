import { readOwed } from '../../../connectors/index.ts';
import {
  judgeLines,
  linesOf,
  listSettlements,
  readPayout,
} from '../../../money/settlements/index.ts';
import type { Base } from '../../../platform/base.ts';
import { idIn, numberIn, type Portal, portalRefusal } from '../../frame/index.ts';
import { listPage, onePage, rowsAtOnce } from './views.tsx';

export interface SettlementParts {
  base: Pick<Base, 'sql'>;
}

/** Serves the comparison of the acquirers' payouts with the books. */
export function settlementPages(portal: Portal, { base }: SettlementParts): void {
  portal.page({
    act: 'alarms.see',
    path: '/settlements',
    async read(visit) {
      const before = numberIn(visit.query.get('before') ?? '') ?? null;
      const page = { connector: null, before, limit: rowsAtOnce + 1 };
      const rows = await listSettlements(base.sql, page);
      return listPage(visit, { rows, owed: await readOwed(base.sql) });
    },
  });
  portal.page({
    act: 'alarms.see',
    path: '/settlements/:id',
    async read(visit) {
      const payout = await readPayout(base.sql, idIn(visit));
      if (!payout) throw portalRefusal('page.not_found', {});
      const after = visit.query.get('after') ?? '';
      const lines = await linesOf(base.sql, payout.id, { after, limit: rowsAtOnce + 1 });
      return onePage(visit, { payout, lines: await judgeLines(base.sql, payout.connector, lines) });
    },
  });
}
