import { type DebitView, refusalWords } from '../../debit-requests/index.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { SheetColumn } from '../../platform/spreadsheets/write/table.ts';
import { stateNames } from '../frame/state-names.ts';
import { exportTexts } from './export-texts.ts';
import { lastRefusal } from './table.tsx';
import { debitTexts } from './texts.ts';

function columnsOf(lang: Lang): SheetColumn<DebitView>[] {
  const texts = debitTexts[lang];
  const why = (debit: DebitView): string | null => {
    const stored = lastRefusal(debit);
    return stored === null ? null : refusalWords(lang, stored).reason;
  };
  return [
    { title: exportTexts[lang].id, kind: 'integer', of: ({ row }) => row.id },
    { title: exportTexts[lang].kind, kind: 'text', of: ({ row }) => texts.kinds[row.kind] },
    {
      title: texts.list.state,
      kind: 'text',
      of: ({ row }) => stateNames[lang].requests[row.state],
    },
    {
      title: exportTexts[lang].created,
      kind: 'moment',
      of: ({ row }) => isoDateTime(row.created_at),
    },
    { title: texts.list.payer, kind: 'text', of: ({ row }) => row.payer },
    { title: exportTexts[lang].description, kind: 'text', of: ({ row }) => row.description },
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
    { title: exportTexts[lang].mandate, kind: 'integer', of: ({ row }) => row.mandate_id },
  ];
}

export const debitSheet = (lang: Lang) => ({
  name: exportTexts[lang].file,
  columns: columnsOf(lang),
});
