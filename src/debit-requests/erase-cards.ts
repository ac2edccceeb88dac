import { midnightOf } from '../kernel/dates.ts';
import {
  eraseCard,
  lockMandate,
  type MandateKey,
  mandateNotThere,
  nextToErase,
  postponeErasure,
  readToErase,
  type ToErase,
} from '../mandates/index.ts';
import { type Actor, system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { eachOfPages } from '../platform/each-account.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { requestsOfKind } from '../requests/index.ts';
import { refusal } from './codes.ts';

/** Reasons to retain the card number of a canceled mandate. */
interface Needs {
  /** Undecided debits, whose file may have to be regenerated. */
  undecided: number;
  /** Last run of a paid debit, which may be reversed. */
  last_paid_run: Temporal.PlainDate | null;
}

async function readNeeds(tx: Queryable, { accountId, id }: MandateKey): Promise<Needs> {
  const [row] = await tx<Needs[]>`
    select count(*) filter (where r.state in ('pending', 'in_process'))::int as undecided,
      max(d.run_on) filter (where r.state = 'paid') as last_paid_run
    from ${requestsOfKind(tx, 'card_debit_request')}
    left join debit_runs d on d.account_id = r.account_id and d.request_id = r.id
      and d.state <> 'waiting'
    where r.account_id = ${accountId} and r.mandate_id = ${id}`;
  return row ?? { undecided: 0, last_paid_run: null };
}

export const hasUndecided = async (sql: Queryable, key: MandateKey): Promise<boolean> =>
  (await readNeeds(sql, key)).undecided > 0;

const atOnce = 200;

/**
 * Erases the card numbers of canceled mandates once every debit is decided and none can be
 * reversed: `reversalDays` after the last paid run.
 */
export function erasureSweep({ sql, recordIds }: Base, reversalDays: number): Sweep {
  const eraseOrWait = async (accountId: string, id: number, now: Temporal.Instant) => {
    const key = { accountId, kind: 'card_adhesion', id } as const;
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      if ((await lockMandate(tx, key)) === null) return false;
      const { undecided, last_paid_run: lastRun } = await readNeeds(tx, key);
      const reversible = lastRun && midnightOf(lastRun.add({ days: reversalDays + 1 }));
      const until = undecided > 0 ? now.add({ hours: 24 }) : reversible;
      if (until && Temporal.Instant.compare(until, now) > 0) {
        await postponeErasure(tx, key, until);
        return false;
      }
      return await eraseCard(tx, { key, actor: system, eventId }, now);
    });
  };
  return {
    name: 'card numbers erased',
    nextDue: () => nextToErase(sql),
    async run(now) {
      let erased = 0;
      await eachOfPages<ToErase>(
        { most: atOnce, failed: 'card numbers could not be erased' },
        (after) => readToErase(sql, now, { after, most: atOnce }),
        async ({ account_id, id }) => {
          if (await eraseOrWait(account_id, id, now)) erased += 1;
        },
      );
      return erased;
    },
  };
}

/**
 * Erases a number at once, even while debits may be reversed, because reversals name the debit, not
 * the card. Throws 404 for an unknown mandate, 409 if it is not canceled or a debit is undecided.
 */
export const eraseNow =
  ({ sql, clocks, recordIds }: Base) =>
  async (key: MandateKey & { kind: 'card_adhesion' }, actor: Actor): Promise<boolean> => {
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      const mandate = await lockMandate(tx, key);
      if (mandate === null) throw mandateNotThere(key.kind);
      const { id } = key;
      const { state } = mandate;
      if (state !== 'canceled') throw refusal('card_adhesion.not_canceled', { id, state });
      const { undecided } = await readNeeds(tx, key);
      if (undecided > 0) {
        throw refusal('card_adhesion.debits_undecided', { id, debits: undecided });
      }
      return await eraseCard(tx, { key, actor, eventId }, clocks.business.now());
    });
  };
