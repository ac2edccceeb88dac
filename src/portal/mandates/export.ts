import { isoDateTime } from '../../kernel/dates.ts';
import {
  type FoundMandates,
  firstPlace,
  type MandatePlace,
  type MandateRow,
} from '../../mandates/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { SheetColumn } from '../../platform/spreadsheets/write/table.ts';
import { mandateStates } from '../frame/states.tsx';
import { instrumentText } from './list.tsx';
import { mandateTexts } from './texts.ts';

/** Rows that are read at a time. */
export const exportedAtOnce = 500;

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

export const exportName = (lang: Lang): string => own[lang].file;

/** All that is found, page behind page, as it stands when it is read. */
export async function* piecesOf(
  find: (behind: MandatePlace) => Promise<FoundMandates>,
): AsyncGenerator<MandateRow[]> {
  for (let behind: MandatePlace | null = firstPlace; behind !== null; ) {
    const found: FoundMandates = await find(behind);
    yield found.rows;
    behind = found.next;
  }
}

const moment = (at: Temporal.Instant | null): string | null => at && isoDateTime(at);

/** What a file of mandates says of each; of accounts and cards no more than the list. */
export function exportColumns(lang: Lang): SheetColumn<MandateRow>[] {
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
