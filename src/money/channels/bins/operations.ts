import { listing } from '../../../platform/listings.ts';
import type { Sql } from '../../../platform/postgres/connect.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Lists imported BINs, the first digits that identify the kind of a card. */
export const binList = listing({
  name: 'card_bins.list',
  act: 'files.see',
  whole: true,
  texts: { en, es },
  read: async (sql: Sql) => (await import('../card-kinds.ts')).readBins(sql),
  columns: {
    prefix: { kind: 'text', of: (row) => row.prefix },
    kind: { kind: 'choice', of: (row) => row.kind },
  },
});
