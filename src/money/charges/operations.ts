import type { ListPage } from '../../platform/list-page.ts';
import { listing } from '../../platform/listings.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Lists charges that are authorized and not yet captured or voided, oldest first. */
export const holdList = listing({
  name: 'charge.holds',
  act: 'alarms.see',
  texts: { en, es },
  read: async (sql: Sql, part: ListPage) => (await import('./store-holds.ts')).listHolds(sql, part),
  columns: {
    attempt: { kind: 'text', of: (row) => row.attempt_id },
    account: { kind: 'text', of: (row) => row.account_id },
    request: { kind: 'text', of: (row) => row.request_id },
    connector: { kind: 'text', of: (row) => row.connector },
    reference: { kind: 'code', of: (row) => row.reference },
    amount: { kind: 'money', of: (row) => row.amount },
    ordered: { kind: 'choice', of: (row) => row.ordered },
    why: { kind: 'text', of: (row) => row.why },
    authorized_at: { kind: 'moment', of: (row) => row.authorized_at },
    expires_at: { kind: 'moment', of: (row) => row.expires_at },
  },
});
