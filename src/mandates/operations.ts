import { accountIdsOf } from '../accounts/index.ts';
import { oneOf, text } from '../platform/http/fields.ts';
import { type Field, type Filled, optional } from '../platform/http/form.ts';
import type { ListPage } from '../platform/list-page.ts';
import { listing } from '../platform/listings.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { maskedInstrument } from './letter.ts';
import type { MandateRow } from './mandate.ts';
import { searchMandates } from './search.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Digits of a DNI, CUIT or CUIL, however they are grouped. */
const idNumber: Field<string> = {
  ...text({ max: 20 }),
  parse: (value) => text({ max: 20 }).parse(String(value).replaceAll(/[-. ]/g, '')),
};

const takes = {
  reference: optional(text({ max: 255 })),
  name: optional(text({ max: 255 })),
  cuit: optional(idNumber),
  kind: optional(oneOf(['adhesion', 'card_adhesion'] as const)),
  state: optional(oneOf(['pending_to_sign', 'signed', 'canceled'] as const)),
};

/** The number of who holds the bank account; cards have none. */
export const idNumberOf = (row: MandateRow): string | null =>
  row.kind === 'adhesion' ? String(row.details.holder_id_number) : null;

/** Mandates over all accounts or in one. */
export const mandateList = listing({
  name: 'adhesion.find',
  act: 'mandates.see',
  account: 'optional',
  takes,
  texts: { en, es },
  async read(
    sql: Sql,
    part: ListPage & Filled<typeof takes> & { account: string | null },
  ): Promise<MandateRow[]> {
    const accountIds = await accountIdsOf(sql, part.account);
    return await searchMandates(sql, { ...part, accountIds, id: null, idNumber: part.cuit }, part);
  },
  columns: {
    account: { kind: 'text', of: (row) => row.account_id },
    id: { kind: 'text', of: (row) => row.id },
    kind: { kind: 'choice', of: (row) => row.kind },
    state: { kind: 'choice', of: (row) => row.state },
    reference: { kind: 'text', of: (row) => row.reference },
    payer: { kind: 'text', of: (row) => row.payer },
    id_number: { kind: 'text', of: idNumberOf },
    instrument: { kind: 'text', of: maskedInstrument },
    created_at: { kind: 'moment', of: (row) => row.created_at },
  },
});
