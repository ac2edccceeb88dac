import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { createRefundVerbs } from '../../src/money/refunds/index.ts';
import { requestRefund } from '../../src/money/refunds/request.ts';
import { reverse } from '../../src/money/reversals/index.ts';
import { createUnwantedApprovals } from '../../src/money/unwanted/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { testOperator } from '../harness/actors.ts';
import { callerOf, itemOf } from '../harness/builders/qrs.ts';
import { blocksOf, openExplained } from '../harness/plans.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

/** Covers QRs that any number of people pay: no act on one payment reads the others. */
const others = 5_000;
/** A scan of the other payments reads hundreds of blocks. */
const mostBlocks = 100;

let service: TestService;
let explained: Awaited<ReturnType<typeof openExplained>>;
let requestId: number;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  explained = await openExplained({ url: service.databaseUrl });
  const qr = callerOf(service);
  await qr.save([itemOf(service, 'raffle', { multiple_payment: true, first_total: 100 })]);
  for (const _time of [1, 2, 3, 4]) expect((await qr.pay('raffle')).status).toBe(200);
  const [row] = await service.sql<{ id: number }[]>`select id from requests`;
  requestId = row?.id ?? 0;
  await service.sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      unreleased, paid_at, informed_at, informed_on, available_on, source, source_ref, payer,
      description, details)
    select account_id, 1000000000 + no, request_id, kind, type, channel, channel_label, amount, 0,
      paid_at - interval '1 day', informed_at - interval '1 day', informed_on, available_on,
      source, 'other ' || no, payer, description, details
    from (select * from results order by id limit 1) as r, generate_series(1, ${others}::int) as no`;
  await service.sql`vacuum analyze results`;
});
afterAll(async () => {
  await explained.close();
  await service.stop();
});

const parts = (sql: Sql) => ({
  base: { ...service.service.parts.base, sql },
  connected: service.service.parts.connections.online,
});

const facts = (id: string) => ({
  key: { accountId: testAccount, id: requestId },
  resultId: null,
  amount: null,
  actor: testOperator,
  reference: id,
  source: 'test',
  sourceRef: id,
});

const acts: Record<string, (sql: Sql) => Promise<void>> = {
  async 'a refund'(sql) {
    const asked = { ...facts('refund'), kind: 'qr', cbu: null } as const;
    const { refund } = await requestRefund(parts(sql))(asked);
    expect(refund.state).toBe('requested');
  },

  async 'a part of a payment'(sql) {
    const asked = { ...facts('part'), kind: 'qr', cbu: null, amount: centavos(100) } as const;
    const { refund } = await requestRefund(parts(sql))(asked);
    expect(refund.amount).toBe(100);
  },

  async 'a chargeback'(sql) {
    const back = { ...facts('back'), type: 'chargeback', comment: '' } as const;
    expect(await reverse(parts(sql).base)(back)).toMatchObject({ outcome: 'recorded' });
    expect(await reverse(parts(sql).base)(back)).toEqual({ outcome: 'known' });
  },

  async 'an approval that may be unwanted'(sql) {
    const { base, connected } = parts(sql);
    const [first] = await service.sql<{ source_ref: string }[]>`
      select source_ref from results where request_id = ${requestId} and source = 'attempt'
      order by id limit 1`;
    const approval = {
      account_id: testAccount,
      attempt_id: Number(first?.source_ref),
      request_id: requestId,
    };
    const refunds = createRefundVerbs({ base, connected });
    const unwanted = createUnwantedApprovals({ base, connected, refunds });
    expect(await unwanted.note(approval, null, true)).toBe(true);
    expect(await unwanted.decide(approval)).toBe(false);
  },
};

test.each(Object.entries(acts))('%s does not read an open QR’s other payments', async (_, act) => {
  const ran = await explained.statementsOf(act);
  expect(blocksOf(ran)).toBeGreaterThan(0);
  const reads = ran.filter(({ text }) => text.includes('results'));
  expect(Math.max(...reads.map((one) => blocksOf([one])))).toBeLessThan(mostBlocks);
  // An open QR stays payable while another payment is left.
  const [row] = await service.sql<{ state: string }[]>`
    select state from requests where id = ${requestId}`;
  expect(row?.state).toBe('pending');
});
