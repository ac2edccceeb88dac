import { isoDateTime } from '../../kernel/dates.ts';
import type { MandateRow } from '../../mandates/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { SheetColumn } from '../../platform/spreadsheets/write/table.ts';
import { stateNames } from '../frame/state-names.ts';
import { exportTexts } from './export-texts.ts';
import { instrumentText } from './list.tsx';
import { mandateTexts } from './texts.ts';

const moment = (at: Temporal.Instant | null): string | null => at && isoDateTime(at);

/** Returns the columns of a file of mandates. Accounts and cards are masked as in the list. */
function columnsOf(lang: Lang): SheetColumn<MandateRow>[] {
  const { list, kinds } = mandateTexts[lang];
  return [
    { title: exportTexts[lang].id, kind: 'integer', of: (row) => row.id },
    { title: exportTexts[lang].kind, kind: 'text', of: (row) => kinds[row.kind] },
    { title: list.state, kind: 'text', of: (row) => stateNames[lang].mandates[row.state] },
    { title: list.created, kind: 'moment', of: (row) => moment(row.created_at) },
    { title: list.holder, kind: 'text', of: (row) => row.holder },
    { title: exportTexts[lang].email, kind: 'text', of: (row) => row.email },
    { title: exportTexts[lang].payer, kind: 'text', of: (row) => row.payer },
    { title: list.instrument, kind: 'text', of: (row) => instrumentText(lang, row) },
    { title: exportTexts[lang].description, kind: 'text', of: (row) => row.description },
    { title: list.reference, kind: 'text', of: (row) => row.reference },
    { title: exportTexts[lang].signed, kind: 'moment', of: (row) => moment(row.signed_at) },
    { title: exportTexts[lang].canceled, kind: 'moment', of: (row) => moment(row.canceled_at) },
  ];
}

export const mandateSheet = (lang: Lang) => ({
  name: exportTexts[lang].file,
  columns: columnsOf(lang),
});
