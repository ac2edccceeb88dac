import { refusalWords, type ShownDebit } from '../../debit-requests/index.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { SheetColumn } from '../../platform/spreadsheets/write/table.ts';
import { requestStates } from '../frame/states.tsx';
import { lastRefusal } from './table.tsx';
import { debitTexts } from './texts.ts';

const own = {
  es: {
    file: 'debitos',
    id: 'Débito',
    kind: 'Clase',
    created: 'Creado',
    description: 'Concepto',
    mandate: 'Adhesión',
  },
  en: {
    file: 'debits',
    id: 'Debit',
    kind: 'Kind',
    created: 'Created',
    description: 'Concept',
    mandate: 'Mandate',
  },
} as const satisfies Record<Lang, Record<string, string>>;

/** What a file of debits says of each. */
function columnsOf(lang: Lang): SheetColumn<ShownDebit>[] {
  const texts = debitTexts[lang];
  const why = (shown: ShownDebit): string | null => {
    const kept = lastRefusal(shown);
    return kept === null ? null : refusalWords(lang, kept).reason;
  };
  return [
    { title: own[lang].id, kind: 'integer', of: ({ row }) => row.id },
    { title: own[lang].kind, kind: 'text', of: ({ row }) => texts.kinds[row.kind] },
    {
      title: texts.list.state,
      kind: 'text',
      of: ({ row }) => requestStates[row.state][lang],
    },
    { title: own[lang].created, kind: 'moment', of: ({ row }) => isoDateTime(row.created_at) },
    { title: texts.list.payer, kind: 'text', of: ({ row }) => row.payer },
    { title: own[lang].description, kind: 'text', of: ({ row }) => row.description },
    { title: texts.list.reference, kind: 'text', of: ({ row }) => row.reference },
    {
      title: texts.list.day,
      kind: 'day',
      of: ({ row, runs }) => runs.at(-1)?.run_on ?? row.due1,
    },
    {
      title: texts.list.amount,
      kind: 'money',
      of: ({ row, runs }) => runs.at(-1)?.amount ?? row.total1,
    },
    { title: texts.list.why, kind: 'text', of: why },
    { title: own[lang].mandate, kind: 'integer', of: ({ row }) => row.mandate_id },
  ];
}

export const debitSheet = (lang: Lang) => ({ name: own[lang].file, columns: columnsOf(lang) });
