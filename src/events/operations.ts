import type { ListPage } from '../platform/list-page.ts';
import { listing } from '../platform/listings.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Lists actions that belong to no account. Those of an account are in its log. */
export const operatorEventList = listing({
  name: 'event.list',
  act: 'audit_log.see',
  texts: { en, es },
  read: async (sql: Sql, part: ListPage) =>
    (await import('./operator.ts')).listOperatorEvents(sql, part),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    at: { kind: 'moment', of: (row) => row.at },
    type: { kind: 'text', of: (row) => row.type },
    subject: { kind: 'text', of: (row) => row.entity_id },
    actor: { kind: 'text', of: (row) => row.actor },
    data: { kind: 'text', of: (row) => JSON.stringify(row.data) },
  },
});
