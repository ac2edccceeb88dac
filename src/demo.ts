import { createKey, listKeys, revokeKey, setAccount } from './accounts/index.ts';
import type { Parts } from './composition/parts.ts';
import type { Config } from './config/index.ts';
import { type Answer, liveThreeMonths, type Means } from './demo-cooperative.ts';
import { noteOperator, operatorEventsOf } from './events/index.ts';
import { dayOf, readMoment } from './kernel/dates.ts';
import { system } from './platform/actor.ts';
import { Refusal } from './platform/errors.ts';
import { withAdvisoryLock } from './platform/postgres/advisory-lock.ts';
import type { Queryable } from './platform/postgres/connect.ts';
import { requestKinds, searchRequests } from './requests/index.ts';

/**
 * Result of a start with the demo. `late`: a seeding was interrupted too long ago to be resumed.
 */
export type DemoOutcome = 'seeded' | 'resumed' | 'there' | 'left_alone' | 'late';

export interface DemoParts {
  config: Config;
  parts: Parts;
  accountId: string;
  /** Calls the API of the running service. */
  call(
    method: 'GET' | 'POST',
    path: string,
    options: { body: unknown; headers: Record<string, string> },
  ): Promise<Answer>;
  /** Stops the seeding before its next call. */
  stopping?: AbortSignal;
}

/** Idempotency keys are stored for a day. Half a day is a safe limit. */
const longestPause = { hours: 12 };
const entity = 'demo';
const keyName = 'three months';
const payoutCbu = '0110599500000076543218';

interface Began {
  accountId: string;
  day: Temporal.PlainDate;
  /** Time of the wall clock. */
  at: Temporal.Instant;
  isDone: boolean;
}

async function readBegan(sql: Queryable): Promise<Began | null> {
  const rows = await sql<{ account: string; at: Temporal.Instant; data: { wall: string } }[]>`
    select o.entity_id as account, o.at, o.data from ${operatorEventsOf(sql, entity)} order by o.id limit 2`;
  const [begun] = rows;
  if (!begun) return null;
  return {
    accountId: begun.account,
    day: dayOf(begun.at),
    at: readMoment(begun.data.wall),
    isDone: rows.length > 1,
  };
}

async function hasRequests({ base }: Parts, accountId: string): Promise<boolean> {
  const found = await searchRequests(
    base.sql,
    {
      accountIds: [accountId],
      kinds: requestKinds,
      reference: null,
      payer: null,
      state: null,
      mandateId: null,
    },
    { after: 0, limit: 1 },
  );
  return found.length > 0;
}

async function note(
  { parts: { base }, accountId }: DemoParts,
  type: 'demo.begun' | 'demo.ended',
): Promise<void> {
  await noteOperator(
    base.sql,
    { ...base, actor: system },
    {
      eventId: await base.recordIds.next(),
      entity,
      entityId: accountId,
      type,
      data: { wall: base.clocks.wall.now().toString() },
    },
  );
}

function meansOf(
  { parts, accountId, call, stopping }: DemoParts,
  { key, began }: { key: string; began: Temporal.PlainDate },
): Means {
  const { base, clocks, fourEyes } = parts;
  const day = (days: number) => began.add({ days });
  return {
    day,
    async call(method, path, body, name) {
      stopping?.throwIfAborted();
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `demo-${name}` };
      let answer = await call(method, path, { body, headers });
      if (answer.body.error_code === 'charge.outcome_unknown') {
        // A killed start may have left the charge open. Moving the clock lets the sweep query its
        // outcome.
        await parts.moveClock(system, clocks.business.now().add({ hours: 1 }));
        answer = await call(method, path, { body, headers });
      }
      if (answer.status >= 300) {
        throw new Error(`The demo's ${method} ${path} was refused: ${JSON.stringify(answer.body)}`);
      }
      return answer;
    },
    async until(days) {
      stopping?.throwIfAborted();
      const noon = day(days)
        .toZonedDateTime({ timeZone: '-03:00', plainTime: '12:00' })
        .toInstant();
      if (Temporal.Instant.compare(noon, clocks.business.now()) > 0) {
        await parts.moveClock(system, noon);
      }
    },
    async payOut(reference) {
      stopping?.throwIfAborted();
      const order = { accountId, amount: null, reference, by: null, actor: system };
      await fourEyes.orderPayout(order).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        base.log.info({ err: error }, 'the demo pays nothing out this month');
      });
    },
  };
}

/** Simulates the months with a separate API key, which is revoked at the end. */
async function live(demo: DemoParts, began: Temporal.PlainDate): Promise<void> {
  const { parts, accountId, config } = demo;
  const acting = { ...parts.base, actor: system };
  const id = await parts.base.recordIds.next();
  const key = await createKey(acting, {
    id,
    environment: config.ENVIRONMENT,
    accountId,
    name: keyName,
    permissions: ['read', 'write', 'sandbox'],
    expiresAt: null,
    secret: null,
  });
  try {
    await setAccount(acting)({ accountId, payoutCbu });
    await liveThreeMonths(meansOf(demo, { key, began }));
  } finally {
    // Also revokes the key of an interrupted start.
    for (const one of await listKeys(parts.base.sql, accountId)) {
      if (one.name === keyName) await revokeKey(acting, { accountId, id: one.id });
    }
  }
}

/**
 * Seeds a new sandbox once with three months of a cooperative, by API calls, the operator's payouts
 * and moves of the clock, which ends three months ahead. Resumes an interrupted seeding. Changes
 * nothing if the account already has requests, or if another account was seeded. Throws in
 * production.
 */
export async function seedDemo(demo: DemoParts): Promise<DemoOutcome> {
  const { parts, accountId } = demo;
  const { sql, clocks } = parts.base;
  if (!parts.sandbox) throw new Error('--demo needs a sandbox, and this is production.');
  return await withAdvisoryLock(
    sql,
    'recaudo demo',
    { mode: 'exclusive', wait: true },
    async () => {
      const before = await readBegan(sql);
      if (before?.isDone) return 'there';
      if (before && before.accountId !== accountId) return 'left_alone';
      if (before === null) {
        if (await hasRequests(parts, accountId)) return 'left_alone';
        await note(demo, 'demo.begun');
      } else if (Temporal.Instant.compare(clocks.wall.now(), before.at.add(longestPause)) > 0) {
        return 'late';
      }
      const began = before ?? (await readBegan(sql));
      if (!began) throw new Error('The start of the demo was not recorded.');
      await live(demo, began.day);
      await note(demo, 'demo.ended');
      return before === null ? 'seeded' : 'resumed';
    },
  );
}
