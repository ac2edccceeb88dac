import {
  closeMoneyAlarm,
  listMoneyAlarms,
  type MoneyAlarmRow,
  readMoneyAlarm,
} from '../../../money/alarms/index.ts';
import type { Base } from '../../../platform/base.ts';
import {
  idIn,
  numberIn,
  type Portal,
  portalRefusal,
  type ServiceVisit,
} from '../../frame/index.ts';
import { reasonIn } from '../forms/read.ts';
import { listPage, onePage, rowsAtOnce } from './views.tsx';

export interface AlarmParts {
  base: Base;
}

/** Alarms about money: listed, looked into, closed with a note. */
export function alarmPages(portal: Portal, { base }: AlarmParts): void {
  const rowOf = async (visit: ServiceVisit): Promise<MoneyAlarmRow> => {
    const row = await readMoneyAlarm(base.sql, idIn(visit));
    if (!row) throw portalRefusal('page.not_found', {});
    return row;
  };

  portal.page({
    act: 'alarms.see',
    path: '/alarms',
    async read(visit) {
      const all = visit.query.has('all');
      const after = numberIn(visit.query.get('after') ?? '') ?? 0;
      const rows = await listMoneyAlarms(base.sql, { all, after, limit: rowsAtOnce + 1 });
      return listPage(visit, { rows, all });
    },
  });
  portal.page({
    act: 'alarms.see',
    path: '/alarms/:id',
    read: async (visit) => onePage(visit, { row: await rowOf(visit), note: '', isFaulty: false }),
  });
  portal.form({
    act: 'alarms.close',
    path: '/alarms/:id/close',
    async does(visit) {
      const row = await rowOf(visit);
      const text = visit.posted.get('note');
      const note = reasonIn(text);
      if (note === null) return onePage(visit, { row, note: text ?? '', isFaulty: true });
      await closeMoneyAlarm({ ...base, actor: visit.actor }, { id: row.id, note });
      return { to: visit.at(`/alarms/${row.id}`) };
    },
  });
}
