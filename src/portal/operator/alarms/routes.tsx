import { accountNames } from '../../../accounts/index.ts';
import {
  alarmClosing,
  alarmList,
  closeMoneyAlarm,
  readMoneyAlarm,
} from '../../../money/alarms/index.ts';
import type { Base } from '../../../platform/base.ts';
import { idIn, type Portal, portalRefusal } from '../../frame/index.ts';
import { listPages } from '../../frame/listing.tsx';
import { operationPages } from '../../frame/operation.tsx';
import { alarmTexts } from './texts.ts';
import { columnsOf, onePage } from './views.tsx';

export interface AlarmParts {
  base: Base;
}

/** Serves alarms about money, which operators close with a note. */
export function alarmPages(portal: Portal, { base }: AlarmParts): void {
  listPages(portal, alarmList, {
    path: '/alarms',
    base,
    texts: (lang) => alarmTexts[lang],
    columns: columnsOf,
    actions: ({ lang, at }) => (
      <a class="button button-quiet" href={at('/letters')}>
        {alarmTexts[lang].letters}
      </a>
    ),
  });
  operationPages(portal, alarmClosing, {
    path: '/alarms/:id/close',
    on: { path: '/alarms/:id', act: 'alarms.see' },
    verbOf: () => (closing, actor) => closeMoneyAlarm({ ...base, actor }, closing),
    back: ({ at }) => at('/alarms'),
    async page(visit, form) {
      const row = await readMoneyAlarm(base.sql, idIn(visit));
      if (!row) throw portalRefusal('page.not_found', {});
      const named = row.account_id === null ? [] : [row.account_id];
      return onePage(visit, { row, names: await accountNames(base.sql, named) }, form);
    },
    done: (visit) => ({ to: visit.at(`/alarms/${idIn(visit)}`) }),
  });
}
