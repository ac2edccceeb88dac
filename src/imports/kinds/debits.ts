import type {
  CheckDebit,
  DebitChecks,
  DebitKind,
  DebitRequests,
} from '../../debit-requests/index.ts';
import { faultsOf, walkFaults } from '../../platform/errors.ts';
import { type SheetField, sheetField } from '../../platform/spreadsheets/fields.ts';
import { findReferences, sheetFields } from '../../requests/index.ts';
import type { ImportKind, ImportMaker } from './kind.ts';

const mandateWords = [
  'adhesion',
  'nro adhesion',
  'id adhesion',
  'adhesion id',
  'mandato',
  'mandate',
];

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
    }),
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
    }),
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

/** Turns rows into debits on signed mandates, on bank accounts or cards. */
const kindOf = <I extends Debit>(
  name: DebitKind,
  checkerOf: (accountId: string) => Promise<CheckDebit<I>>,
): ImportKind<I> => ({
  name,
  fields: fields[name],
  async checker(accountId) {
    const check = await checkerOf(accountId);
    return async (body) => {
      const checked = await check(body);
      if (checked.ok) return checked;
      if ('faults' in checked) {
        return { ok: false, faults: walkFaults(checked.faults.children ?? {}) };
      }
      return { ok: false, faults: faultsOf(checked.refusal) };
    };
  },
  referenceOf: (input) => input.external_reference,
  async existing(sql, accountId, references) {
    const found = await findReferences(sql, { accountId, kind: name }, references);
    return new Map(found.map(({ reference, id }) => [reference, id]));
  },
  links: () => ({}),
});

export const debitKinds = ({ bank, card }: DebitChecks) => ({
  debit_request: kindOf('debit_request', bank),
  card_debit_request: kindOf('card_debit_request', card),
});

type Outcomes = Awaited<ReturnType<DebitRequests['createMany']['bank']>>;

const madeOf = (outcomes: Outcomes) =>
  outcomes.map((outcome) =>
    outcome instanceof Error ? outcome : { id: JSON.parse(outcome.answer.body).id as number },
  );

type Bank = DebitRequests['createMany']['bank'];
type BankInput = Parameters<Bank>[0][number]['input'];

export const createAsBankDebits =
  (bank: Bank): ImportMaker<BankInput>['create'] =>
  async (tx, ctx, inputs) =>
    madeOf(
      await bank(
        inputs.map((input) => ({ ctx, input, claim: null })),
        tx,
      ),
    );

export const debitMakers = ({
  createMany: { bank, card },
  withdraw,
}: Pick<DebitRequests, 'createMany' | 'withdraw'>) =>
  ({
    debit_request: {
      create: createAsBankDebits(bank),
      withdraw: (tx, ctx, withdrawal) => withdraw(tx, ctx, 'debit_request', withdrawal),
    } satisfies ImportMaker<BankInput>,
    card_debit_request: {
      create: async (tx, ctx, inputs) =>
        madeOf(
          await card(
            inputs.map((input) => ({ ctx, input, claim: null })),
            tx,
          ),
        ),
      withdraw: (tx, ctx, withdrawal) => withdraw(tx, ctx, 'card_debit_request', withdrawal),
    } satisfies ImportMaker<Parameters<typeof card>[0][number]['input']>,
  }) as const;
