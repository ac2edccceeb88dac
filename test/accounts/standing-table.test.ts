import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKey, moveAccount } from '../../src/accounts/index.ts';
import { setAccount } from '../../src/accounts/settings.ts';
import { closeAccount } from '../../src/composition/close-account.ts';
import { holderBalances } from '../../src/money/ledger/index.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { exportFile, outboundRails } from '../../src/rails/index.ts';
import { open, payCard, post, tokenForm } from '../checkout/payer.ts';
import { testOperator } from '../harness/actors.ts';
import { inDays } from '../harness/builders/clock.ts';
import { createCardDebit, createDebit, handOver } from '../harness/builders/debits.ts';
import { documentOf, items, put } from '../harness/builders/imports.ts';
import {
  adhesionBody,
  cardAdhesionBody,
  signedAdhesion,
  signedCardAdhesion,
  signingUrl,
} from '../harness/builders/mandates.ts';
import { type Office, openOffice, typedCode } from '../harness/builders/office.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { batchOf, full, itemOf } from '../harness/builders/qrs.ts';
import { staticBody } from '../harness/builders/static-qrs.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { file, pmcLines } from '../rails/files.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';

/** Checks what docs/reference/account-states.md says, cell by cell. */
const text = readFileSync(
  new URL('../../docs/reference/account-states.md', import.meta.url),
  'utf8',
);
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', suspended = '', closed = '']) => ({ what, suspended, closed }));

type Standing = 'suspended' | 'closed';
type Row = Record<string, unknown>;
/** A suspended account is refused with 403, a closed one with 409. */
const refusing: Record<string, string> = { conflict: 'refused', forbidden: 'refused' };
const account = { accountId: testAccount };
const payoutCbu = '2850590940090418135201';

async function play(standing: Standing, service: TestService, receiver: Receiver) {
  const { call, sql, origin } = service;
  const { parts } = service.service;
  const { base, clocks, sweeper, reverse } = parts;
  const acting = { ...base, actor: testOperator };
  const cells: Record<string, string> = {};

  const made = async (path: string, body: unknown): Promise<Row & { id: number }> => {
    const answer = await call('POST', path, { body });
    expect([path, answer.status], answer.text).toEqual([path, 201]);
    return answer.body;
  };
  const request = async (fields: Row = {}) => {
    const body = paymentRequestBody(service, { first_due_date: inDays(service, 40), ...fields });
    const { id, checkout_url, pdf_url, barcode_url } = await made('/payment-request', body);
    const paths = [checkout_url, pdf_url, barcode_url].map((url) => new URL(String(url)).pathname);
    const [checkout = '', pdf = '', barcode = ''] = paths;
    return { id, checkout, pdf, barcode };
  };
  const advance = async (days: number) => {
    const to = clocks.business.now().add({ hours: 24 * days });
    expect((await doing('command', () => sweeper.advanceTo(to))).blockedBy).toBe(null);
  };
  const stateOf = async (id: number): Promise<string> => {
    const [row] = await sql<{ state: string }[]>`select state from requests where id = ${id}`;
    return row?.state ?? 'none';
  };
  const mandateState = async (id: number) => {
    const [row] = await sql<{ state: string; state_comment: string | null }[]>`
      select state, state_comment from mandates where kind = 'adhesion' and id = ${id}`;
    return row;
  };
  const collectedOf = async (id: number): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from results where request_id = ${id} and type = 'collected'`;
    return row?.count ?? 0;
  };
  const change = (move: 'suspend' | 'reopen' | 'close') =>
    moveAccount(acting, { ...account, move, reason: 'test' });
  const close = () => closeAccount({ base, actor: testOperator }, { ...account, reason: 'test' });
  /** Returns the kind of refusal of an attempt, or "none". */
  const refusalOf = async (attempt: Promise<unknown>): Promise<string> => {
    try {
      await attempt;
      return 'none';
    } catch (error) {
      return (error as { kind?: string }).kind ?? String(error);
    }
  };
  const pay = async (id: number) => {
    expect((await call('POST', `/sandbox/pay/${id}`, { body: {} })).status).toBe(200);
  };
  const payout = (reference: string) =>
    sendPayout(base)({ ...account, amount: null, reference, actor: testOperator });
  const published = async (office: Office): Promise<string[]> => {
    const files = await Promise.all(
      outboundRails.map((rail) =>
        exportFile(
          base,
          { rail, date: clocks.business.today(), directory: office.folder, actor: testOperator },
          { ...office.terms, today: clocks.business.today() },
        ),
      ),
    );
    return files
      .flatMap((one) => one.files.flatMap(({ written }) => written.slice(0, 1)))
      .map((path) => readFileSync(path, 'latin1'));
  };

  // Suspend the account, or try to close it, while a refund is pending.
  await setAccount(acting)({ ...account, payoutCbu });
  const paid = await request();
  const chargedBack = await request();
  await pay(paid.id);
  await pay(chargedBack.id);
  const withRefund = await request({ first_total: 1000 });
  await call('POST', `/sandbox/pay/${withRefund.id}`, { body: { channel: 'credit_card' } });
  const refund = await made(`/payment-request/${withRefund.id}/refund`, {
    refund: { amount: 100.94 },
  });
  expect(refund.state).toBe('requested');
  if (standing === 'closed') {
    await expect(close()).rejects.toThrow('1 refund of the account is in progress');
  } else {
    await change('suspend');
  }
  await advance(1);
  const [ended] = await sql<{ state: string }[]>`
    select state from refunds where id = ${Number(refund.id)}`;
  expect(ended?.state).toBe('done');
  const waitedFor = 'is waited for before closing';
  cells['a refund on its way'] = standing === 'closed' ? waitedFor : 'ends';
  if (standing === 'suspended') await change('reopen');
  const payWithoutAnswer = async () => {
    const made = await request({ first_total: 200.94 });
    expect((await payCard(origin, made.checkout)).status).toBe(303);
    return made;
  };
  const settledBefore = standing === 'closed' ? await payWithoutAnswer() : null;
  if (settledBefore !== null) {
    await expect(close()).rejects.toThrow('1 charge of the account has no outcome yet');
  }
  await advance(40);
  expect((await payout('before')).outcome).toBe('sent');

  // Leave work open: requests, mandates, debits, codes, an upload, a payment without an answer.
  await vi.waitFor(async () => expect((await call('GET', '/webhook')).status).toBe(200));
  const webhook = await made('/webhook', {
    webhook: { url: `${receiver.url}/hook`, event_types: ['payment_request.paid'] },
  });
  const byFile = await request();
  const shown = await request();
  const mandate = await signedAdhesion(service);
  const other = await signedAdhesion(service);
  const cardMandate = await signedCardAdhesion(service);
  const waits = (await createDebit(service, mandate, { first_due_date: inDays(service, 30) })).body;
  const handed = (await createDebit(service, other)).body;
  const cardDebit = (await createCardDebit(service, cardMandate)).body;
  await handOver(service, handed.id);
  const office = await openOffice(service);
  const unsigned = await made('/adhesion', adhesionBody({ email: 'ana+nosign@example.com' }));
  const unanswered = settledBefore ?? (await payWithoutAnswer());
  await call('POST', '/save-qr-data', { body: batchOf([itemOf(service, 'q1')]) });
  const { qr_string: code } = (await call('GET', '/status/q1')).body;
  const wall = await made('/create-qr', staticBody());
  const before = await published(office);
  expect(before.filter((one) => one.includes(typedCode(byFile.id)))).toHaveLength(2);
  expect([await stateOf(waits.id), await stateOf(handed.id)]).toEqual(['pending', 'in_process']);
  const upload = (await call('GET', '/bucket-url')).body;

  // Suspend or close the account, and wait until every process knows.
  expect(standing === 'closed' ? (await close()).closed : await change('suspend')).toBe(true);
  const refusal = standing === 'closed' ? 401 : 403;
  await vi.waitFor(
    async () => {
      const body = paymentRequestBody(service);
      expect((await call('POST', '/payment-request', { body })).status).toBe(refusal);
    },
    { timeout: 20_000, interval: 50 },
  );

  /** Returns the answer that all calls share, or lists each call with its answer if they differ. */
  const oneOf = (answers: [string, string | number][]): string => {
    const different = new Set(answers.map(([, told]) => String(told)));
    return different.size === 1 ? [...different].join('') : JSON.stringify(answers);
  };
  const asked = async (calls: [string, string, unknown?][]): Promise<string> =>
    oneOf(
      await Promise.all(
        calls.map(
          async ([method, path, body]): Promise<[string, number]> => [
            `${method} ${path}`,
            (await call(method, path, body === undefined ? {} : { body })).status,
          ],
        ),
      ),
    );
  const today = inDays(service, 0);
  const reads = [`/payment-request/${paid.id}`, '/payment-request', `/adhesion/${unsigned.id}`];
  reads.push('/card-adhesion', '/debit-request', `/card-debit-request/${cardDebit.id}`);
  reads.push('/account', '/account/balances', `/report/collection/${today}`, '/status/q1');
  reads.push('/status-static/CAJA1', '/webhook', '/event', '/card-adhesion/public-key');
  cells['the API, reading'] = await asked(reads.map((path) => ['GET', path]));
  const data = encodeURIComponent(String(wall.qr_string));
  cells['the API, making, changing, ending or paying anything'] = await asked([
    ['POST', '/payment-request', paymentRequestBody(service)],
    ['POST', '/adhesion', adhesionBody()],
    ['POST', '/card-adhesion', cardAdhesionBody()],
    ['POST', '/debit-request', { debit_request: { adhesion_id: mandate } }],
    ['POST', '/card-debit-request', { card_debit_request: { card_adhesion_id: cardMandate } }],
    ['PUT', `/payment-request/${byFile.id}/cancel`],
    ['PUT', `/adhesion/${mandate}/cancel`],
    ['PUT', `/card-adhesion/${cardMandate}/cancel`],
    ['PUT', `/debit-request/${waits.id}/cancel`],
    ['PUT', `/card-debit-request/${cardDebit.id}/cancel`],
    ['POST', '/save-qr-data', batchOf([itemOf(service, 'q2')])],
    ['POST', '/edit-qr/q1', batchOf([itemOf(service, 'q1')])],
    ['POST', '/batch-edit-qr', batchOf([itemOf(service, 'q1')])],
    ['DELETE', '/delete-qr/q1'],
    ['DELETE', '/batch-delete-qr', batchOf([full('q1')])],
    ['GET', '/bucket-url'],
    ['POST', '/pay-qr/q1'],
    ['POST', '/create-qr', staticBody({ id: 'CAJA2' })],
    ['PUT', `/new-transaction?data=${data}`, { first_total: 150 }],
    ['POST', '/pay-qr-static/CAJA1'],
    ['POST', '/webhook', { webhook: { url: 'https://example.com', event_types: ['qr.paid'] } }],
    ['DELETE', `/webhook/${webhook.id}`],
    ['POST', `/payment-request/${paid.id}/refund`, { refund: {} }],
    ['POST', `/sandbox/pay/${byFile.id}`, {}],
    ['POST', `/sandbox/chargeback/${paid.id}`, {}],
    ['POST', `/sandbox/refund/${paid.id}`, {}],
    ['POST', '/sandbox/clock', { days: 1 }],
  ]);

  const uploaded = await put(upload.url, documentOf(items(3, 'late')));
  expect(uploaded.status).toBe(200);
  cells['an upload whose address was given before'] = await vi.waitFor(
    async () => {
      const [batch] = await sql<{ state: string; created: number; error: string | null }[]>`
        select state, created, error from batches where id = ${upload.id}`;
      expect(['completed', 'failed']).toContain(batch?.state);
      const [count] = await sql`select 1 from requests where code like '%late-%'`;
      const refused = batch?.error?.includes('suspended or closed') && batch.created === 0;
      return refused && !count ? 'fails and makes nothing' : JSON.stringify(batch);
    },
    { timeout: 30_000, interval: 50 },
  );
  const statusOf = async (path: string): Promise<[string, number]> => [
    path,
    (await open(origin, path)).status,
  ];
  const forms = ['', '/check', '/language', '/simulate', '/cancel'].map(
    async (end): Promise<[string, number]> => [
      `form ${end}`,
      (await post(origin, shown.checkout + end, { ...tokenForm, to: 'en' })).status,
    ],
  );
  const ends = ['', '/barcode', '/qr.png', '/receipt', '/return', '/rejected'];
  cells['the checkout of a pending request, its forms, coupon and barcode'] = oneOf(
    await Promise.all([
      ...ends.map((end) => statusOf(shown.checkout + end)),
      ...forms,
      statusOf(shown.pdf),
      statusOf(shown.barcode),
      statusOf(shown.barcode.replace('.svg', '.png')),
    ]),
  );
  expect(await collectedOf(shown.id)).toBe(0);
  const { status, html } = await open(origin, unanswered.checkout);
  const confirming = status === 200 && html.includes('Estamos confirmando tu pago');
  const saysSo = confirming ? 'says so' : String(status);
  cells['the checkout of a payment on its way'] = settledBefore === null ? saysSo : waitedFor;
  cells['the receipt and the coupon of what was paid'] = oneOf(
    await Promise.all(
      [`${paid.checkout}/receipt`, paid.checkout, paid.pdf, paid.barcode].map(statusOf),
    ),
  );
  const query = new URLSearchParams({ data: code, access_token: 'sandbox-resolve-token' });
  const resolved = await call('GET', `/resolve?${query}`, { key: null });
  cells['a wallet that asks about a code'] = resolved.body.status;
  const after = await published(office);
  const isOut = after.every((one) => !one.includes(typedCode(byFile.id)));
  cells['files that publish what can be paid'] = isOut ? 'left out' : 'published';

  const signPath = new URL(signingUrl(service, 'adhesion', unsigned.id)).pathname;
  const signPage = await open(origin, signPath);
  const canceledPage = signPage.html.includes('Esta adhesión ya no está vigente.');
  cells['the page of a mandate that waits to be signed'] = canceledPage
    ? 'says that it is canceled'
    : String(signPage.status);
  await post(origin, signPath, { answer: 'accept' });
  expect((await mandateState(unsigned.id))?.state).not.toBe('signed');
  const key = { ...account, kind: 'adhesion' as const, id: unsigned.id };
  const reminder = { key, newLink: true, actor: testOperator };
  const reminded = await refusalOf(parts.mandates.remind(reminder));
  cells['the signing e-mail of such a mandate, sent again'] = refusing[reminded] ?? reminded;

  const told = { code: typedCode(byFile.id), amount: 143_050, paidOn: office.compact() };
  await office.import('pmc', await office.write(file(pmcLines(office.compact(), [told]))));
  cells["money that a network's file tells"] =
    (await stateOf(byFile.id)) === 'paid' && (await collectedOf(byFile.id)) === 1
      ? 'recorded'
      : await stateOf(byFile.id);
  await reverse({
    key: { ...account, id: chargedBack.id },
    type: 'chargeback',
    resultId: null,
    amount: null,
    actor: testOperator,
    source: 'operator',
    sourceRef: 'after',
    comment: 'After the end.',
  });
  const back = await stateOf(chargedBack.id);
  cells['a chargeback'] = back === 'reverted' ? 'recorded' : back;
  await advance(1);
  const late = (await collectedOf(unanswered.id)) === 1;
  const ending = settledBefore === null ? 'ends as its acquirer says' : waitedFor;
  cells['a card payment without an answer'] = late ? ending : 'open';
  await advance(12);
  const bank = await stateOf(handed.id);
  cells['a debit that was handed over'] = bank === 'paid' ? 'ends as the bank says' : bank;
  const kept = await mandateState(mandate);
  const mandatePath = new URL(signingUrl(service, 'adhesion', mandate)).pathname;
  const canRevoke = (await open(origin, mandatePath)).html.includes('value="revoke"');
  cells['a mandate that was signed'] =
    kept?.state === 'signed' && canRevoke ? 'stays and can be revoked' : String(kept?.state);
  if (standing === 'closed') {
    expect(kept?.state_comment).toBe('Canceled because the account was closed.');
  }
  await advance(75);
  const debits = [await stateOf(waits.id), await stateOf(cardDebit.id)].join();
  const ways = { 'paid,paid': 'goes on', 'canceled,canceled': 'canceled' };
  cells['a debit that waits'] = (ways as Record<string, string>)[debits] ?? debits;

  const { available, unavailable } = await holderBalances(sql, testAccount);
  const [due] = await sql`
    select 1 from results where type = 'collected' and released_on is null
      and available_on <= ${clocks.business.today()}::date`;
  cells['what was recorded'] = due === undefined && available > 0 ? 'becomes available' : 'waits';
  expect([available > 0, unavailable >= 0]).toEqual([true, true]);
  const ctx = { ...account, actor: testOperator, requestId: 'test' };
  const verb = parts.refunds.request(ctx, {
    key: { ...account, id: byFile.id },
    kind: 'payment_request',
    resultId: null,
    amount: null,
    cbu: payoutCbu,
    reference: 'late',
  });
  const refused = await refusalOf(verb);
  cells['asking for a refund'] = refusing[refused] ?? refused;
  const sending = await refusalOf(payout('after'));
  cells['a payout'] = { none: 'sent', ...refusing }[sending] ?? sending;
  const heard = await vi.waitFor(
    () => {
      const ids = receiver.received.map(({ event }) => event.payload.id);
      const after = settledBefore === null ? [byFile.id, unanswered.id] : [byFile.id];
      expect(ids).toEqual(expect.arrayContaining(after));
      return 'delivered';
    },
    { timeout: 30_000, interval: 50 },
  );
  cells.webhooks = heard;
  const newKey = createKey(acting, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: testAccount,
    name: 'late',
    permissions: ['read'],
    expiresAt: null,
    secret: null,
  });
  const keyed = await refusalOf(newKey);
  cells['a new key'] = { none: 'made', ...refusing }[keyed] ?? keyed;
  const reopened = await refusalOf(change('reopen'));
  cells['`accounts reopen`'] = { none: 'active again', ...refusing }[reopened] ?? reopened;
  expect(await office.faults()).toEqual([]);
  await office.close();
  return cells;
}

describe.each(['suspended', 'closed'] as const)('a %s account', (standing) => {
  let service: TestService;
  let receiver: Receiver;
  let cells: Record<string, string>;
  beforeAll(async () => {
    receiver = await openReceiver();
    service = await startService({ STRANGER_RATE: '0', LINK_RATE: '0' });
    cells = await play(standing, service, receiver);
  }, 240_000);
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  test.each(rows)('behaves as documented for $what', (row) => {
    expect(cells[row.what]).toBe(row[standing]);
  });

  test('covers every row of the documented table', () => {
    expect(Object.keys(cells).toSorted()).toEqual(rows.map(({ what }) => what).toSorted());
  });
});
