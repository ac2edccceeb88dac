import { dayOf } from '../../kernel/dates.ts';
import { joinMandates } from '../../mandates/index.ts';
import { channels } from '../../money/channels/index.ts';
import type { RecordFacts } from '../../money/collections/index.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { joinRequests } from '../../requests/index.ts';
import type { DebitRun } from '../debit.ts';
import { factOf } from './fact.ts';
import { mandateEnded } from './reject-codes.ts';
import { endRuns, readRuns } from './runs.ts';

/** A second run that can no longer be submitted. */
interface Abandoned extends Pick<DebitRun, 'account_id' | 'request_id' | 'no'> {
  /** Why the first run was refused. */
  code: string;
  /** Why the mandate ended, if known. */
  ended: string | null;
}

const atOnce = 500;

const readAbandoned = ({ sql }: Base, today: Temporal.PlainDate): Promise<Abandoned[]> =>
  sql<Abandoned[]>`
    select second.account_id, second.request_id, second.no, first.code,
      m.state_comment as ended
    from debit_runs second
    join debit_runs first on first.account_id = second.account_id
      and first.request_id = second.request_id and first.no = 1
    ${joinRequests(sql, 'second', 'request_id')} ${joinMandates(sql, 'r', 'adhesion')}
    where m.state = 'canceled'
      and second.no = 2 and second.state = 'waiting' and second.submit_on <= ${today}::date
    order by second.account_id, second.request_id limit ${atOnce}`;

/**
 * Ends second runs whose mandate was canceled before their submission, and rejects their debits for
 * that reason, because no bank will answer. Returns the number of these runs.
 */
export const abandonRuns =
  (base: Base, recordFacts: RecordFacts) =>
  async (now: Temporal.Instant): Promise<number> => {
    let dropped = 0;
    for (;;) {
      const some = await abandonSome(base, recordFacts, now);
      dropped += some;
      if (some < atOnce) return dropped;
    }
  };

async function abandonSome(
  base: Base,
  recordFacts: RecordFacts,
  now: Temporal.Instant,
): Promise<number> {
  const abandoned = (await readAbandoned(base, dayOf(now))).map(
    ({ account_id, request_id, no, ...why }) => ({
      ...{ accountId: account_id, requestId: request_id, runNo: no },
      text: `The mandate ended: ${why.ended ?? why.code}`,
    }),
  );
  if (abandoned.length === 0) return 0;
  const found = await readRuns(base.sql, abandoned);
  const facts = abandoned.flatMap(({ text, ...key }, index) => {
    const one = found[index];
    if (!one) return [];
    const outcome = { type: 'rejected', at: now, code: mandateEnded, text } as const;
    const label = channels.direct_debit.label;
    const fact = factOf(one, { ...key, outcome, actor: system, label });
    return [{ ...fact, details: { code: mandateEnded, state_comment: text } }];
  });
  await recordFacts(facts);
  await endRuns(
    base.sql,
    found.flatMap((one) => (one ? [one.run] : [])),
  );
  return abandoned.length;
}
