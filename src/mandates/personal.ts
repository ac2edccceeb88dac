import { type ErasureEvent, writeEvents } from '../events/index.ts';
import {
  cuitPattern,
  type Erasing,
  erasedCbu,
  erasedEvent,
  erasedText,
  idNumbersOf,
  type Person,
  type StillNeeded,
} from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { textsOf } from '../platform/postgres/texts.ts';
import { eraseStoredCards } from './card/on-file-store.ts';
import type { MandateKind } from './mandate.ts';

/** A person's mandate, with the names and address that identify their other rows. */
export interface PersonalMandate {
  kind: MandateKind;
  id: number;
  state: string;
  email: string;
  holder: string;
  payer: string;
  /** True if the id number of the holder matches, or the person proved the address. */
  is_proven: boolean;
}

/**
 * Finds a person's mandates in an account: by id number, by an address of theirs, by name and
 * address together, or by their CUIT in a text. A name alone proves nothing.
 */
export async function personalMandates(
  sql: Queryable,
  accountId: string,
  person: Person,
): Promise<PersonalMandate[]> {
  const pattern = cuitPattern(person);
  return await sql<PersonalMandate[]>`
    with known as (
      select email, folded(name) as name
      from ${recordset(sql, 'known (email text, name text)', person.known)}
    )
    select kind, id, state, lower(email) as email, holder, payer,
      coalesce(proven.is, false) as is_proven
    from mandates m
    cross join lateral (
      select details->>'holder_id_number' = any(${idNumbersOf(person)}::text[])
        or lower(email) = any(${[...person.emails]}::text[]) as is
    ) proven
    where account_id = ${accountId} and (
      proven.is
      or (lower(email), folded(payer)) in (select * from known)
      or (lower(email), folded(holder)) in (select * from known)
      or holder ~ ${pattern} or payer ~ ${pattern} or description ~ ${pattern}
      or details->>'metadata' ~ ${pattern} or details->>'short_description' ~ ${pattern}
    )
    order by kind, id`;
}

type Names = readonly Pick<PersonalMandate, 'kind' | 'id'>[];

/** Builds the relation `named (kind, id)`. */
const named = (sql: Queryable, mandates: Names) => sql`
  ${recordset(sql, 'named (kind text, id bigint)', mandates)}`;

const whyNeeded = ({ state, card }: { state: string; card: boolean }): string | null => {
  if (state !== 'canceled') return `it is ${state}: cancel it first`;
  return card ? 'its card is kept until its debits can no longer be reversed' : null;
};

/**
 * Locks the mandates that are not erased yet, until the transaction ends. `needed` lists those that
 * are not canceled or still have a card.
 */
export async function holdPersonalMandates(
  tx: Queryable,
  accountId: string,
  mandates: Names,
): Promise<{ held: { kind: MandateKind; id: number; email: string }[]; needed: StillNeeded[] }> {
  const rows = await tx<
    { kind: MandateKind; id: number; email: string; state: string; card: boolean }[]
  >`
    select m.kind, m.id, lower(m.email) as email, m.state, m.card_ciphertext is not null or m.kind = 'card_adhesion' and exists (
        select from kept_cards k where k.account_id = m.account_id and k.mandate_id = m.id
          and k.state not in ('refused', 'forgotten')) as card
    from ${named(tx, mandates)} join mandates m on m.account_id = ${accountId}
      and m.kind = named.kind and m.id = named.id
    where (m.holder, m.payer, m.email) <> (${erasedText}, ${erasedText}, '')
    order by m.account_id, m.kind, m.id for update of m`;
  const needed = rows.flatMap((row) => {
    const why = whyNeeded(row);
    return why === null ? [] : [{ what: row.kind, id: row.id, why }];
  });
  return { held: rows, needed };
}

/** Exports mandates with the evidence of their signatures, as JSON rows. */
export const exportMandates = (
  sql: Queryable,
  accountId: string,
  mandates: Names,
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select m.kind, m.id, state, state_comment, created_at, sign_before, signed_at, canceled_at,
        reference, holder, email, description, payer, cbu, details, evidence, (
          select json_agg(json_build_object('cbu', i.cbu, 'replaced_at', i.replaced_at) order by i.no)
          from mandate_instruments i where i.account_id = m.account_id and i.kind = m.kind
            and i.mandate_id = m.id) as replaced
      from ${named(sql, mandates)} join mandates m on m.account_id = ${accountId}
        and m.kind = named.kind and m.id = named.id
      order by m.kind, m.id
    ) as shown`);

/** Details that an erasure retains, because they do not identify the holder. */
const impersonal = ['brand', 'brand_name', 'last_four', 'expires', 'closed', 'debit_reason'];

/**
 * Erases the holder from locked, canceled mandates: names, address, texts, CBUs and the signature's
 * evidence. Raises each version and records an event. Returns the events.
 */
export async function eraseMandates(
  tx: Queryable,
  { accountId, at, actor, reason }: Erasing,
  mandates: Names,
  eventIds: readonly number[],
): Promise<ErasureEvent[]> {
  return await tx<ErasureEvent[]>`
    with erasure as (
      select * from unnest(${mandates.map(({ kind }) => kind)}::text[],
        ${mandates.map(({ id }) => id)}::bigint[], ${[...eventIds]}::bigint[])
        as e (kind, mandate_id, event_id)
    ),
    instruments as (
      update mandate_instruments i set cbu = case when i.cbu is not null then ${erasedCbu} end
      from erasure where i.account_id = ${accountId} and i.kind = erasure.kind
        and i.mandate_id = erasure.mandate_id
    ),
    ${eraseStoredCards(tx, 'erasure', accountId)},
    erased as (
      update mandates m set version = m.version + 1, holder = ${erasedText}, payer = ${erasedText},
        email = '', description = ${erasedText}, evidence = null,
        cbu = case when m.cbu is not null then ${erasedCbu} end,
        details = coalesce((
          select json_object_agg(key, value) from (
            select key, value from json_each(m.details) where key = any(${impersonal}::text[])
            union all
            select key, to_json(''::text) from json_each(m.details)
            where key in ('short_description', 'holder_id_number')
          ) as left_over), '{}')
      from erasure
      where m.account_id = ${accountId} and m.kind = erasure.kind and m.id = erasure.mandate_id
      returning m.account_id, m.kind as entity, m.id::text as entity_id, m.version,
        erasure.event_id as id, m.kind || ${`.${erasedEvent}`}::text as type,
        ${at}::timestamptz as at, ${actor}::text as actor,
        jsonb_strip_nulls(jsonb_build_object('state', m.state, 'external_reference', m.reference,
          'reason', ${reason}::text))::text as data
    ),
    ${writeEvents(tx, 'erased')}
    select entity, entity_id, version from erased`;
}
