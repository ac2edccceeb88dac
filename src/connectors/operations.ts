import { listing } from '../platform/listings.ts';
import { readOwed } from './reconcile/store.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Debts of acquirers. */
export const owedList = listing({
  name: 'settlement.owed',
  act: 'alarms.see',
  whole: true,
  texts: { en, es },
  read: readOwed,
  columns: {
    connector: { kind: 'text', of: (row) => row.connector },
    day: { kind: 'day', of: (row) => row.day },
    charges: { kind: 'text', of: (row) => row.charges },
    amount: { kind: 'money', of: (row) => row.amount },
  },
});
