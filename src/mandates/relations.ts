import type { Queryable } from '../platform/postgres/connect.ts';
import type { MandateKind, MandateState } from './mandate.ts';

// Relations for the SQL of other nouns. `m` is the mandate.

type Fragment = ReturnType<Queryable>;

/** Joins each debit's mandate, by `mandate_id`. */
export const joinMandates = (sql: Queryable, of: string, kind: MandateKind): Fragment => sql`
  join mandates m on m.account_id = ${sql(of)}.account_id and m.kind = ${kind}
    and m.id = ${sql(of)}.mandate_id`;

/** Joins the account or card in use when a row recorded its `instrument_no`. */
export const joinInstruments = (sql: Queryable, of: string): Fragment => sql`
  left join mandate_instruments old on old.account_id = m.account_id and old.kind = m.kind
    and old.mandate_id = m.id and old.no = ${sql(of)}.instrument_no`;

export const instrumentColumns = (sql: Queryable): Fragment => sql`
  coalesce(old.cbu, m.cbu) as cbu, coalesce(old.card_key_id, m.card_key_id) as card_key_id,
  coalesce(old.card_ciphertext, m.card_ciphertext) as card_ciphertext`;

/** Selects mandates that can be signed at an instant, as `m`. */
export const unsignedMandates = (sql: Queryable, now: Temporal.Instant): Fragment => sql`
  (select * from mandates
    where state = 'pending_to_sign' and sign_before > ${now}::timestamptz) as m`;

/** A mandate as files identify it. */
export interface NamedMandate {
  account_id: string;
  mandate_id: number;
  mandate_state: MandateState;
  /** A card's brand, for display. */
  brand: string | null;
  cbu: string | null;
  card_key_id: string | null;
  card_ciphertext: Buffer | null;
  /** The number of its current account or card. */
  instrument_no: number;
}

export const namedMandateColumns = (sql: Queryable): Fragment => sql`
  m.account_id, m.id as mandate_id, m.state as mandate_state, m.details->>'brand_name' as brand,
  m.cbu, m.card_key_id, m.card_ciphertext, m.instrument_no`;

/** Finds mandates of any account by id, because files contain only the id. */
export const findNamedMandates = (
  sql: Queryable,
  kind: MandateKind,
  ids: number[],
): Promise<NamedMandate[]> => sql<NamedMandate[]>`
  select ${namedMandateColumns(sql)} from mandates m
  where m.kind = ${kind} and m.id = any(${ids}::bigint[])`;
