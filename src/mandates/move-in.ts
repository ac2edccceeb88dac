import { writeEvents } from '../events/index.ts';
import { itemAt } from '../kernel/lists.ts';
import { actorText } from '../platform/actor.ts';
import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { idBlocks } from '../platform/postgres/id-blocks.ts';
import { takePlace } from '../platform/postgres/places.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { bankRow } from './bank/row.ts';
import type { BankMandateInput } from './bank/schema.ts';
import type { BankMandate, DebitCarriers, Evidence } from './mandate.ts';

/** A mandate on a bank account that its holder signed with another provider. */
export interface SignedElsewhere {
  input: BankMandateInput;
  /** Date and text of the consent, as the other provider recorded them. */
  evidence: Evidence;
  signedAt: Temporal.Instant;
}

/** Inserts signed mandates, each with its event. Sends no email. */
async function insertSigned(
  tx: Transaction,
  { accountId, actor }: Ctx,
  news: readonly { row: BankMandate; one: SignedElsewhere; eventId: number }[],
): Promise<void> {
  const rows = news.map(({ row, one, eventId }) => ({
    ...row,
    signed_at: one.signedAt,
    evidence: JSON.stringify(one.evidence),
    details: JSON.stringify(row.details),
    event_id: eventId,
  }));
  const shape = `n (id bigint, created_at timestamptz, sign_before timestamptz,
    signed_at timestamptz, evidence text, reference text, holder text, email text, description text,
    payer text, cbu text, details text, event_id bigint)`;
  await tx`
    with new_mandate as materialized (select * from ${recordset(tx, shape, rows)}),
    created as (
      insert into mandates (account_id, kind, id, state, version, created_at, sign_before,
        signed_at, evidence, reference, holder, email, description, payer, cbu, details, place)
      select ${accountId}, 'adhesion', id, 'signed', 1, created_at, sign_before, signed_at,
        evidence::json, reference, holder, email, description, payer, cbu, details::json,
        ${takePlace(tx, 'mandates', [accountId])}
      from new_mandate
    ),
    new_events as (
      select ${accountId}::text as account_id, 'adhesion' as entity, id::text as entity_id,
        1 as version, event_id as id, 'adhesion.created' as type, created_at as at,
        ${actorText(actor)}::text as actor,
        json_strip_nulls(json_build_object('state', 'signed', 'external_reference',
          reference))::text as data
      from new_mandate
    ),
    ${writeEvents(tx, 'new_events')}
    select 1`;
}

/** Creates mandates that were signed with another provider, within the caller's transaction. */
export function moveInMandates(base: Base, carriers: DebitCarriers) {
  const { sql, clocks, recordIds } = base;
  const mandateIds = idBlocks(sql, 'adhesion_ids');
  const rowOf = bankRow(carriers);
  return async (
    tx: Transaction,
    ctx: Ctx,
    moved: readonly SignedElsewhere[],
  ): Promise<{ id: number }[]> => {
    const [ids, eventIds] = await Promise.all([
      mandateIds.take(moved.length),
      recordIds.take(moved.length),
    ]);
    const now = clocks.business.now();
    const news = await Promise.all(
      moved.map(async (one, index) => {
        const row = await rowOf(one.input, {
          account_id: ctx.accountId,
          id: itemAt(ids, index),
          state: 'pending_to_sign',
          version: 1,
          created_at: now,
          sign_before: now,
          link_no: 1,
          signed_at: null,
          canceled_at: null,
          state_comment: null,
        });
        return { row, one, eventId: itemAt(eventIds, index) };
      }),
    );
    if (news.length > 0) await insertSigned(tx, ctx, news);
    return news.map(({ row }) => ({ id: row.id }));
  };
}
