import { catalog } from '../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const importTexts = catalog(
  { en, es },
  {
    notes: {
      totals: { rows: 'text' },
      above: { count: 'count' },
      first_sheet: { others: 'count' },
      sheet: { name: 'text', others: 'count' },
      hidden: { count: 'count', rows: 'text' },
      encoding: { encoding: 'text' },
      same_name: { name: 'text' },
    },
    sameFile: { id: 'count' },
    sums: {
      agrees: { row: 'count' },
      differs: { row: 'count', stated: 'text', rows: 'text', difference: 'text', more: 'text' },
      unread: { count: 'count' },
    },
    reading: { hiddenSheet: { name: 'text' }, hiddenRows: { count: 'count' } },
    match: { missing: { fields: 'text' }, example: { value: 'text' } },
    faults: { more: { count: 'count' }, repeats: { id: 'text' } },
    confirm: {
      lead: { count: 'count', sum: 'text' },
      without: { count: 'count' },
      submit: { count: 'count' },
    },
    progress: { of: { done: 'count', rows: 'count' } },
    undo: { counts: { left: 'count', created: 'count' } },
    mails: { waiting: { count: 'text', number: 'count' }, until: { moment: 'text' } },
  },
);
