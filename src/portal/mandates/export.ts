import { isoDateTime } from '../../kernel/dates.ts';
import type { MandateRow } from '../../mandates/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { SheetColumn } from '../../platform/spreadsheets/write/table.ts';
import { mandateStates } from '../frame/states.tsx';
import { instrumentText } from './list.tsx';
import { mandateTexts } from './texts.ts';

const own = {
  es: {
    file: 'adhesiones',
    id: 'Adhesión',
    kind: 'Clase',
    email: 'Correo',
    payer: 'De quién es la cuenta o tarjeta',
    description: 'Concepto',
    signed: 'Firmada',
    canceled: 'Cancelada',
  },
  en: {
    file: 'mandates',
    id: 'Mandate',
    kind: 'Kind',
    email: 'E-mail',
    payer: 'Whose account or card it is',
    description: 'Concept',
    signed: 'Signed',
    canceled: 'Canceled',
  },
} as const satisfies Record<Lang, Record<string, string>>;

const moment = (at: Temporal.Instant | null): string | null => at && isoDateTime(at);

/** What a file of mandates says of each; of accounts and cards no more than the list. */
function columnsOf(lang: Lang): SheetColumn<MandateRow>[] {
  const { list, kinds } = mandateTexts[lang];
  return [
    { title: own[lang].id, kind: 'integer', of: (row) => row.id },
    { title: own[lang].kind, kind: 'text', of: (row) => kinds[row.kind] },
    { title: list.state, kind: 'text', of: (row) => mandateStates[row.state][lang] },
    { title: list.created, kind: 'moment', of: (row) => moment(row.created_at) },
    { title: list.holder, kind: 'text', of: (row) => row.holder },
    { title: own[lang].email, kind: 'text', of: (row) => row.email },
    { title: own[lang].payer, kind: 'text', of: (row) => row.payer },
    { title: list.instrument, kind: 'text', of: (row) => instrumentText(lang, row) },
    { title: own[lang].description, kind: 'text', of: (row) => row.description },
    { title: list.reference, kind: 'text', of: (row) => row.reference },
    { title: own[lang].signed, kind: 'moment', of: (row) => moment(row.signed_at) },
    { title: own[lang].canceled, kind: 'moment', of: (row) => moment(row.canceled_at) },
  ];
}

export const mandateSheet = (lang: Lang) => ({ name: own[lang].file, columns: columnsOf(lang) });
