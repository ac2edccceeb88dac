import type { Actor } from '../../platform/actor.ts';
import { line, recordId } from '../../platform/http/fields.ts';
import { required } from '../../platform/http/form.ts';
import type { ListPage } from '../../platform/list-page.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import type { AlarmClosing } from './close.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };

/** Lists money alarms, only open ones by default. */
export const alarmList = listing({
  name: 'alarm.list',
  act: 'alarms.see',
  texts,
  read: async (sql: Sql, part: ListPage & { all: boolean }) =>
    (await import('./list.ts')).listMoneyAlarms(sql, part),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    kind: { kind: 'choice', of: (row) => row.kind },
    account: { kind: 'text', of: (row) => row.account_id },
    request: { kind: 'text', of: (row) => row.request_id },
    attempt: { kind: 'text', of: (row) => row.attempt_id },
    result: { kind: 'text', of: (row) => row.result_id },
    suspense: { kind: 'text', of: (row) => row.suspense_id },
    connector: { kind: 'text', of: (row) => row.connector },
    amount: { kind: 'money', of: (row) => row.amount },
    message: { kind: 'text', of: (row) => row.message },
    raised_at: { kind: 'moment', of: (row) => row.raised_at },
    closed_at: { kind: 'moment', of: (row) => row.closed_at },
    note: { kind: 'text', of: (row) => row.note },
  },
});

type Close = (closing: AlarmClosing, actor: Actor) => Promise<'closed' | 'known'>;

export const alarmClosing = operation({
  name: 'alarm.close',
  repeat: 'natural',
  act: 'alarms.close',
  texts,
  takes: { id: required(recordId()), note: required(line({ max: 255 })) },
  run: (close: Close, closing, actor) => close(closing, actor),
  command: {
    arguments: ['id'],
    flags: { note: 'reason' },
    shows: ({ id }) => ({ id }),
  },
});
