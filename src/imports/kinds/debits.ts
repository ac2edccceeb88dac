import type {
  CheckDebit,
  DebitChecks,
  DebitKind,
  DebitRequests,
} from '../../debit-requests/index.ts';
import type { LocalizedText } from '../../language/localized-text.ts';
import type { FindReferenced } from '../../mandates/index.ts';
import { faultsOf, walkFaults } from '../../platform/errors.ts';
import { type SheetField, sheetField } from '../../platform/spreadsheets/fields.ts';
import { sheetFields } from '../../requests/index.ts';
import { fault } from '../codes.ts';
import type { CheckedRow, ImportKind, ImportMaker } from './kind.ts';
import { createAsRequests, ownReferences } from './requests.ts';

const mandateWords = [
  'adhesion',
  'nro adhesion',
  'id adhesion',
  'adhesion id',
  'mandato',
  'mandate',
];

/** The account's own reference of a mandate, in place of its number. */
const mandateReference = (name: string): SheetField =>
  sheetField(name, 'Referencia de la adhesión', 'Mandate’s reference', [
    ...['referencia adhesion', 'adhesion referencia', 'referencia mandato', 'mandate reference'],
    ...sheetFields.reference.words,
    ...['socio', 'socia', 'alumno', 'alumna', 'cliente', 'member', 'customer'],
  ]);

/** Fields that default to those of the mandate. */
const own: readonly SheetField[] = [
  { ...sheetFields.description, required: false },
  sheetFields.reference,
];

const fields: Record<DebitKind, readonly SheetField[]> = {
  debit_request: [
    sheetField('adhesion_id', 'N.º de adhesión', 'Mandate', mandateWords, {
      required: true,
      reader: 'number',
      or: 'adhesion_reference',
    }),
    mandateReference('adhesion_reference'),
    sheetFields.firstDue,
    sheetFields.firstTotal,
    sheetFields.secondDue,
    sheetFields.secondTotal,
    ...own,
  ],
  card_debit_request: [
    sheetField('card_adhesion_id', 'N.º de adhesión', 'Mandate', mandateWords, {
      required: true,
      reader: 'number',
      or: 'card_adhesion_reference',
    }),
    mandateReference('card_adhesion_reference'),
    sheetField('month', 'Mes', 'Month', ['mes', 'periodo mes', 'month'], {
      required: true,
      reader: 'number',
    }),
    sheetField('year', 'Año', 'Year', ['ano', 'anio', 'periodo ano', 'year'], {
      required: true,
      reader: 'number',
    }),
    { ...sheetFields.firstTotal, name: 'amount', label: { es: 'Importe', en: 'Amount' } },
    ...own,
  ],
};

interface Debit {
  external_reference: string | null;
}

/** Names of the fields that identify the mandate. */
const mandateFields = {
  debit_request: { id: 'adhesion_id', reference: 'adhesion_reference' },
  card_debit_request: { id: 'card_adhesion_id', reference: 'card_adhesion_reference' },
} as const;

interface Referenced {
  kind: DebitKind;
  find: FindReferenced;
}

/** Returns the id of the mandate with a reference, or why none can be chosen. */
async function mandateOf(
  { kind, find }: Referenced,
  reference: string,
  id: string | null,
): Promise<number | LocalizedText> {
  const wanted = id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null;
  const { signed, other, named } = await find({ reference, id: wanted });
  const [first] = signed;
  if (id !== null) return named ?? fault('import.mandate_differs', { id });
  if (signed.length > 1) return fault('import.mandate_ambiguous', { ids: signed.join(', ') });
  return first ?? other ?? fault('import.mandate_unknown', { kind });
}

const checkedDebit = <I>(checked: Awaited<ReturnType<CheckDebit<I>>>): CheckedRow<I> => {
  if (checked.ok) return checked;
  return 'faults' in checked
    ? { ok: false, faults: walkFaults(checked.faults.children ?? {}) }
    : { ok: false, faults: faultsOf(checked.refusal) };
};

/** Checks a row whose mandate is named by its reference. Faults of the mandate are at that cell. */
const checkReferenced =
  <I>(check: CheckDebit<I>, mandates: Referenced) =>
  async (body: Record<string, unknown>): Promise<CheckedRow<I>> => {
    const names = mandateFields[mandates.kind];
    const { [names.reference]: cell = '', ...debit } = body;
    const reference = String(cell).trim();
    if (reference === '') return checkedDebit(await check(debit));
    const id = debit[names.id] === undefined ? null : String(debit[names.id]);
    const found = await mandateOf(mandates, reference, id);
    const unknown = typeof found === 'number' ? null : found;
    const checked = checkedDebit(
      await check({ ...debit, [names.id]: unknown === null ? found : undefined }),
    );
    if (checked.ok) return checked;
    const path = [names.reference];
    const others = checked.faults.flatMap((one) => {
      if (one.path[0] !== names.id) return [one];
      return unknown === null ? [{ ...one, path }] : [];
    });
    return unknown === null
      ? { ok: false, faults: others }
      : { ok: false, faults: [{ path, message: String(unknown), localized: unknown }, ...others] };
  };

/** Turns rows into debits on signed mandates, on bank accounts or cards. */
const kindOf = <I extends Debit>(
  name: DebitKind,
  checkerOf: (accountId: string) => Promise<CheckDebit<I>>,
  { byReference }: Pick<DebitChecks, 'byReference'>,
): ImportKind<I> => ({
  name,
  fields: fields[name],
  amount: name === 'debit_request' ? sheetFields.firstTotal.name : 'amount',
  async checker(accountId) {
    const find = byReference(accountId, name);
    return checkReferenced(await checkerOf(accountId), { kind: name, find });
  },
  ...ownReferences(name),
  links: () => ({}),
});

export const debitKinds = (checks: DebitChecks) => ({
  debit_request: kindOf('debit_request', checks.bank, checks),
  card_debit_request: kindOf('card_debit_request', checks.card, checks),
});

type Input<Way extends 'bank' | 'card'> = Parameters<
  DebitRequests['createMany'][Way]
>[0][number]['input'];

export const debitMakers = ({
  createMany: { bank, card },
  withdraw,
}: Pick<DebitRequests, 'createMany' | 'withdraw'>) =>
  ({
    debit_request: {
      create: createAsRequests(bank),
      withdraw: (tx, ctx, withdrawal) => withdraw(tx, ctx, 'debit_request', withdrawal),
    } satisfies ImportMaker<Input<'bank'>>,
    card_debit_request: {
      create: createAsRequests(card),
      withdraw: (tx, ctx, withdrawal) => withdraw(tx, ctx, 'card_debit_request', withdrawal),
    } satisfies ImportMaker<Input<'card'>>,
  }) as const;
