import { writeEvents } from '../events/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { conflict } from '../platform/errors.ts';
import { transitions } from '../requests/index.ts';
import type { DebitKind } from './debit.ts';
import { type FindDebit, notThere } from './get.ts';
import type { Detailed } from './present.ts';

const comment = 'Canceled by the collector.';

/**
 * Cancels a debit that was not submitted yet; one that is canceled stays as it is. Of a cancel and
 * the submission one is first. 409: it is in process, or decided.
 */
export const cancelDebit =
  ({ sql, clocks, recordIds }: Base, find: FindDebit) =>
  async (ctx: Ctx, kind: DebitKind, id: number): Promise<Detailed> => {
    const { from, to } = transitions[kind].cancel;
    const eventId = await recordIds.next();
    await sql`
      with canceled as (
        update requests r set state = ${to}, version = r.version + 1, state_comment = ${comment}
        where r.account_id = ${ctx.accountId} and r.id = ${id} and r.kind = ${kind}
          and r.state = any(${[...from]}::text[])
        returning r.account_id, r.kind, r.id, r.version, r.reference
      ),
      new_events as (
        select account_id, kind as entity, id::text as entity_id, version, ${eventId}::bigint as id,
          kind || '.canceled' as type, ${clocks.business.now()}::timestamptz as at,
          ${ctx.actor}::text as actor,
          json_strip_nulls(json_build_object('state', ${to}::text, 'external_reference', reference,
            'state_comment', ${comment}::text))::text as data
        from canceled
      ),
      ${writeEvents(sql, 'new_events')}
      select 1`;
    const found = await find({ accountId: ctx.accountId, id }, kind);
    if (!found) throw notThere(kind);
    if (found.row.state !== to) {
      throw conflict(
        `The debit is ${found.row.state}: only a pending one can be canceled, before it is submitted.`,
      );
    }
    return { ...found, retentions: null };
  };
