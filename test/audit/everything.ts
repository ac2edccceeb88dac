import { createKey, revokeKey, setAccount } from '../../src/accounts/index.ts';
import { changeDay } from '../../src/calendar/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { moveCard, sendCard } from '../../src/mandates/card/on-file-store.ts';
import { closeMoneyAlarm, listMoneyAlarms, raiseMoneyAlarm } from '../../src/money/alarms/index.ts';
import type { AttemptRow } from '../../src/money/charges/attempt.ts';
import { claimReference } from '../../src/money/charges/store.ts';
import { insertHold } from '../../src/money/charges/store-holds.ts';
import { claimNetwork } from '../../src/money/charges/store-network.ts';
import { dailyTotals, prepareFacts } from '../../src/money/collections/index.ts';
import { approveCorrection, orderCorrection } from '../../src/money/corrections/index.ts';
import { noteDispute } from '../../src/money/disputes/index.ts';
import { endFees, setFees } from '../../src/money/fees/index.ts';
import { foldAccounts, ledgerDays, sealAll } from '../../src/money/ledger/index.ts';
import { makePayoutFile, returnPayout } from '../../src/money/payouts/index.ts';
import {
  keepComparison,
  keepSettlements,
  listSettlements,
} from '../../src/money/settlements/index.ts';
import {
  assignSuspense,
  listSuspense,
  returnSuspense,
  suspend,
} from '../../src/money/suspense/index.ts';
import { note } from '../../src/money/unwanted/store.ts';
import { keepCvu } from '../../src/payment-requests/cvu/store.ts';
import { transferCvu } from '../../src/payment-requests/index.ts';
import { system } from '../../src/platform/actor.ts';
import { testOperator } from '../harness/actors.ts';
import {
  createCardDebit,
  createDebit,
  settle,
  submittedDebit,
} from '../harness/builders/debits.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { openOffice } from '../harness/builders/office.ts';
import { batchOf, itemOf } from '../harness/builders/qrs.ts';
import { wallsOf } from '../harness/builders/static-qrs.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { sealEvents } from '../harness/sealed.ts';
import { type TestService, testAccount } from '../harness/service.ts';
import { file, linkLines } from '../rails/files.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

async function seal(service: TestService): Promise<void> {
  const { sealer, base } = service.service.parts;
  await sealAll(base.sql, sealer);
  await foldAccounts(base.sql, dailyTotals);
  await foldAccounts(base.sql, ledgerDays);
  await sealEvents(service);
}

async function payers(service: TestService, player: Player): Promise<void> {
  const paid = await player.create({ external_reference: 'a', payer_email: 'ana@example.com' });
  await player.pay(paid, { channel: 'credit_card', installments: 3 });
  await player.refund(paid, { amount: 100 });
  const ask = { refund: { amount: 1.94 } };
  await service.call('POST', `/payment-request/${paid}/refund`, { body: ask });
  await keepCvu(service.service.parts.base, {
    key: { accountId: testAccount, id: paid },
    connector: 'bank',
    cvu: transferCvu('4242', paid),
  });
  const back = await player.create({ first_total: 500 });
  await player.pay(back);
  await player.chargeback(back);
  const refused = await player.create({ first_total: 100.92 });
  await player.pay(refused, { channel: 'credit_card' });
  await player.create({ second_due_date: '31-12-2026', second_total: 2000 });
  const { call } = service;
  await call('POST', '/save-qr-data', { body: batchOf([itemOf(service, 'one')]) });
  const several = batchOf([itemOf(service, 'two'), itemOf(service, 'three')]);
  await call('POST', '/save-qr-data', { body: several });
  await call('POST', `/pay-qr/${testAccount}-two`);
  const walls = wallsOf(service);
  const wall = await walls.create();
  await walls.pay(await walls.asked(wall.qr_string));
}

async function debits(service: TestService): Promise<void> {
  const { debit } = await submittedDebit(service);
  await settle(service, debit, { paid: true });
  const closed = await submittedDebit(service);
  await settle(service, closed.debit, { code: 'R02' });
  const second = { second_due_date: undefined };
  await createDebit(service, await signedAdhesion(service), second);
  await createCardDebit(service, await signedCardAdhesion(service));
  const { mandates } = service.service.parts;
  const key = {
    accountId: testAccount,
    kind: 'adhesion',
    id: await signedAdhesion(service),
  } as const;
  await mandates.replace({
    key,
    instrument: { type: 'cbu', cbu: '2850590940090418135201' },
    actor: system,
  });
}

async function operator(service: TestService, player: Player): Promise<void> {
  const { base, clocks, calendar } = service.service.parts;
  const { sql } = base;
  const accountId = testAccount;
  const actor = testOperator;
  const acting = { ...base, actor };
  await changeDay(acting, { day: clocks.business.today().add({ days: 300 }), kind: 'bank' });
  await setAccount(acting)({ accountId, payoutCbu: '2850590940090418135201' });
  await correct(base)({ accountId, reference: 'c', note: 'n', amount: centavos(900_000), actor });
  const wanted = {
    accountId,
    reference: 'four eyes',
    note: 'n',
    amount: centavos(5),
    by: 1,
    actor,
  };
  const ordered = await orderCorrection(base, { above: centavos(0) })(wanted);
  if (ordered.outcome !== 'proposed') throw new Error('nothing was proposed');
  await approveCorrection(base)({ accountId, id: ordered.proposal.id, by: 2, actor });
  const { payout } = await sendPayout(base)({
    accountId,
    reference: 'p',
    amount: centavos(1_000),
    actor,
  });
  await returnPayout(base)({ accountId, id: payout.id, reason: 'closed', actor });
  await sendPayout(base)({ accountId, reference: 'file', amount: centavos(2_000), actor });
  await makePayoutFile(base)({ reference: 'file', actor });
  const from = clocks.business.today().add({ days: 1 });
  const terms = {
    percentagePpm: 1,
    fixed: centavos(1),
    minimum: centavos(2),
    availableAfterDays: 1,
  };
  await setFees(base)({ accountId, channel: 'qr', from, actor, terms });
  await endFees(base)({ accountId, channel: 'qr', from: from.add({ days: 5 }), actor });
  const id = await base.recordIds.next();
  const key = { id, environment: 'sandbox', accountId, name: 'k', secret: null, expiresAt: null };
  await createKey(acting, { ...key, permissions: ['read'] });
  await revokeKey(acting, { accountId, id });
  const money = {
    reason: 'unreadable_code',
    channel: 'non_banking',
    label: 'Rapipago',
    code: '?',
    amount: centavos(500),
    paidAt: clocks.business.now(),
    source: 'rapipago',
  } as const;
  await suspend(base)([
    { ...money, sourceRef: '1' },
    { ...money, sourceRef: '2' },
    { ...money, sourceRef: '3' },
  ]);
  await raiseMoneyAlarm(base, {
    kind: 'amount',
    fact: 'f',
    message: 'm',
    connector: 'bank',
    accountId,
    requestId: 1,
    attemptId: 2,
    resultId: 3,
    suspenseId: 4,
    amount: centavos(5),
  });
  const [alarm] = await listMoneyAlarms(sql, { all: false, after: 0, limit: 1 });
  await closeMoneyAlarm(acting, { id: alarm?.id ?? 0, note: 'n' });
  const [first, other] = await listSuspense(sql, { all: false, after: 0, limit: 9 });
  const to = { accountId, id: await player.create() };
  await assignSuspense(
    base,
    prepareFacts(base, calendar),
  )({
    id: first?.id ?? 0,
    to,
    note: 'n',
    actor,
  });
  await returnSuspense(base)({ id: other?.id ?? 0, note: 'n', actor });
}

async function files(service: TestService): Promise<void> {
  const office = await openOffice(service);
  const { code } = await office.request();
  const payment = { amount: 150_000, paidOn: office.compact() };
  const lines = linkLines(office.compact(), [
    { ...payment, code },
    { ...payment, code: '999' },
  ]);
  await office.import('link', await office.write(file(lines)));
  await office.close();
}

/** Inserts the rows that connectors leave for a charge; this scenario has no connector. */
async function connected(service: TestService): Promise<void> {
  const { sql } = service.service.parts.base;
  const [attempt] = await sql<AttemptRow[]>`
    select * from attempts where account_id = ${testAccount} order by id limit 1`;
  if (!attempt) throw new Error('nothing was charged');
  const { account_id, id: attempt_id, request_id } = attempt;
  await claimReference(sql, attempt, 'acquirer 1');
  await claimNetwork(sql, { connector: 'bank', trx: 'trx 1' }, attempt);
  const lookAt = service.service.parts.clocks.business.now();
  const hold = { account_id, attempt_id, request_id, reference: 'acquirer 1', why: null };
  await insertHold(
    sql,
    { ...hold, amount: attempt.amount, ordered: 'capture', expires_at: lookAt },
    { at: lookAt, askAt: null },
  );
  await note(sql, { account_id, attempt_id, request_id, why: 'late' }, { lookAt, always: true });
  await noteDispute(service.service.parts.base)(
    {
      ...{ account_id, attempt_id, request_id, connector: 'cards', name: 'dispute 1' },
      ...{ state: 'evidence_due', revision: 1, amount: centavos(100), taken: centavos(0) },
      ...{ reason: 'Unknown.', evidence_due_at: lookAt },
    },
    { kind: 'connector', name: 'cards' },
  );
  await keepSettlements({ ...service.service.parts.base, actor: testOperator }, 'bank', [
    {
      ...{ name: 'line 1', kind: 'sale', attempt: `${account_id}-${attempt_id}`, trx: 'trx 1' },
      ...{ account_id, attempt_id, is_part: true },
      ...{ gross: centavos(100), fee: centavos(3), net: centavos(97) },
      payout: {
        ...{ name: 'payout 1', net: centavos(97) },
        paidOn: service.service.parts.clocks.business.today(),
      },
    },
  ]);
  const [payout] = await listSettlements(sql, { connector: null, before: null, limit: 1 });
  if (!payout) throw new Error('nothing was paid out');
  await keepComparison(service.service.parts.base, payout.id, {
    ...{ lines: 1, gross: centavos(100), fee: centavos(3), listed: centavos(97) },
    ...{ matched: centavos(100), elsewhere: centavos(0), faults: 0 },
  });
  const mandate_id = await signedCardAdhesion(service);
  const key = { account_id, mandate_id };
  await sendCard(
    sql,
    { ...key, connector: 'cards', channel: 'credit_card', signing: null },
    lookAt,
  );
  const card = { reference: 'card 1', bin: '450799', networkTransactionId: 'N1' };
  await moveCard(sql, key, { state: 'kept', ...card, askAt: null, warnAt: null });
  const webhook = { url: 'http://127.0.0.1:9/hook', event_types: [1] };
  const { status } = await service.call('POST', '/webhook', { body: { webhook } });
  if (status !== 201) throw new Error(`no webhook: ${status}`);
}

/** Performs one of each operation that leaves a row for the audit, and seals the result. */
export async function playEverything(service: TestService): Promise<void> {
  const player = playerOf(service);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Chaco', '2020-01-01', 10000 from accounts`;
  await payers(service, player);
  await debits(service);
  await player.move({ days: 12 });
  await files(service);
  await connected(service);
  await operator(service, player);
  await player.move({ days: 3 });
  await seal(service);
}
