import { centavos } from '../kernel/money.ts';
import type { Language } from '../language/localized-text.ts';
import type { SheetField } from '../platform/spreadsheets/fields.ts';
import {
  type SheetColumn,
  type SheetFile,
  type SheetFormat,
  writeTable,
} from '../platform/spreadsheets/write/table.ts';
import type { ImportKind } from './kinds/kind.ts';

type Example = Readonly<Record<string, string>>;

/**
 * The example row. Its days have passed and its CBU has a wrong check digit, so that leaving it in
 * the file bills nobody.
 */
const examples: Readonly<Record<Language, Example>> = {
  es: { payer_name: 'Ejemplo (borrá esta fila)', description: 'Cuota de marzo', city: 'Córdoba' },
  en: { payer_name: 'Example (delete this row)', description: 'March fee', city: 'Córdoba' },
};

const shared: Example = {
  id: 'SOCIO-0001',
  external_reference: 'FAC-0001',
  payer_email: 'ana@example.com',
  email: 'ana@example.com',
  first_due_date: '2020-03-10',
  second_due_date: '2020-03-20',
  first_total: '15000.50',
  second_total: '16000.50',
  amount: '15000.50',
  adhesion_id: '1',
  card_adhesion_id: '1',
  adhesion_reference: 'SOCIO-0001',
  card_adhesion_reference: 'SOCIO-0001',
  month: '3',
  year: '2020',
  short_description: 'CUOTA',
  cbu_number: '2850590940090418135200',
  cbu_holder_id_number: '20123456786',
};

const peopleFields = ['adhesion_holder_name', 'cbu_holder_name'];

const exampleOf = (lang: Language, { name }: SheetField): string | null => {
  const { payer_name: person = '', ...own } = examples[lang];
  return peopleFields.includes(name) || name === 'payer_name'
    ? person
    : (own[name] ?? shared[name] ?? null);
};

function columnOf(lang: Language, field: SheetField): SheetColumn<object> {
  const title = field.label[lang];
  const text = exampleOf(lang, field);
  if (field.name.endsWith('_total') || field.name === 'amount') {
    const amount = text === null ? null : centavos(Math.round(Number(text) * 100));
    return { title, kind: 'money', of: () => amount };
  }
  if (field.name.endsWith('_due_date')) return { title, kind: 'day', of: () => text };
  return { title, kind: 'text', of: () => text };
}

async function* oneRow(): AsyncGenerator<readonly object[]> {
  yield [{}];
}

/** Writes a kind's template: headings that an import recognizes, and an example row. */
export const templateFile = (
  { name, fields }: Pick<ImportKind<unknown>, 'name' | 'fields'>,
  { lang, format, title }: { lang: Language; format: SheetFormat; title: string },
): SheetFile =>
  writeTable({
    format,
    name: `${lang === 'es' ? 'plantilla' : 'template'}-${name.replaceAll('_', '-')}`,
    title,
    asInArgentina: lang === 'es',
    columns: fields.map((field) => columnOf(lang, field)),
    pieces: oneRow(),
  });
