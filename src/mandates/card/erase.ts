import { appendEvents } from '../../events/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { MandateKey } from '../mandate.ts';

export interface Erasing {
  key: MandateKey;
  actor: Actor;
  eventId: number;
}

/**
 * Erases the card numbers of a canceled mandate, including former ones. Returns false if it is not
 * canceled or has no number.
 */
export async function eraseCard(
  tx: Queryable,
  { key: { accountId, kind, id }, actor, eventId }: Erasing,
  now: Temporal.Instant,
): Promise<boolean> {
  const [row] = await tx<{ version: number; reference: string | null }[]>`
    with before as (
      update mandate_instruments set card_key_id = null, card_ciphertext = null
      where account_id = ${accountId} and kind = ${kind} and mandate_id = ${id}
        and exists (select 1 from mandates m where m.account_id = ${accountId}
          and m.kind = ${kind} and m.id = ${id} and m.state = 'canceled')
    )
    update mandates m set card_key_id = null, card_ciphertext = null, card_erase_at = null,
      card_erased_at = ${now}::timestamptz, version = m.version + 1
    where m.account_id = ${accountId} and m.kind = ${kind} and m.id = ${id}
      and m.kind = 'card_adhesion' and m.state = 'canceled' and m.card_ciphertext is not null
    returning m.version, m.reference`;
  if (!row) return false;
  await appendEvents(tx, [
    {
      accountId,
      entity: kind,
      entityId: String(id),
      version: row.version,
      id: eventId,
      type: `${kind}.number_erased`,
      at: now,
      actor,
      data: { state: 'canceled', ...(row.reference && { external_reference: row.reference }) },
    },
  ]);
  return true;
}

export interface ToErase {
  account_id: string;
  id: number;
  card_erase_at: Temporal.Instant;
}

/** Returns canceled mandates whose numbers are due for erasure, up to `most` after the given one. */
export const readToErase = (
  sql: Queryable,
  now: Temporal.Instant,
  { after, most }: { after: ToErase | null; most: number },
): Promise<ToErase[]> =>
  sql<ToErase[]>`
    select account_id, id, card_erase_at from mandates
    where card_ciphertext is not null and card_erase_at <= ${now}::timestamptz ${
      after
        ? sql`and (card_erase_at, account_id, id)
            > (${after.card_erase_at}::timestamptz, ${after.account_id}, ${after.id}::bigint)`
        : sql``
    }
    order by card_erase_at, account_id, id limit ${most}`;

export async function nextToErase(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(card_erase_at) as due from mandates where card_ciphertext is not null`;
  return row?.due ?? null;
}

export async function postponeErasure(
  tx: Queryable,
  { accountId, kind, id }: MandateKey,
  at: Temporal.Instant,
): Promise<void> {
  await tx`
    update mandates set card_erase_at = ${at}::timestamptz
    where account_id = ${accountId} and kind = ${kind} and id = ${id}`;
}
