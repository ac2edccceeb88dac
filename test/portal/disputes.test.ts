import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { createAccount } from '../../src/accounts/index.ts';
import { deadlineSweep } from '../../src/money/disputes/index.ts';
import { serveFrames } from '../checkout/card-frame.ts';
import { approvedAs, type Played, playConnector } from '../connectors/played.ts';
import { testOperator } from '../harness/actors.ts';
import { createCardDebit, handOver } from '../harness/builders/debits.ts';
import { keptCardBody, signingUrl, signKeptCard } from '../harness/builders/mandates.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Covers disputed payments of each kind, as the account's users and the operator see them. */
let cards: Played;
let frames: Awaited<ReturnType<typeof serveFrames>>;
let service: TestService;
let player: Player;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  frames = await serveFrames();
  const { origin } = frames;
  const browser = { kind: 'frame', url: `${origin}/card`, origin };
  cards = await playConnector('acquirer', [
    { channel: 'credit_card', browser, keeps_cards: true, three_ds: true },
    { channel: 'qr', three_ds: true },
    'DEBIN',
  ]);
  const three_ds = { result: 'authenticated', liability: 'issuer', version: '2.2.0' };
  cards.plays.charge = ({ attempt, body }) =>
    approvedAs(`ref-${attempt}`, body.amount, { three_ds });
  service = await startService({
    ROLES: 'payments,qr,web',
    STRANGER_RATE: '0',
    CONNECTORS: JSON.stringify([cards.configured()]),
  });
  player = playerOf(service);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([cards?.stop(), frames?.stop()]);
});

const attemptOf = (id: number): string =>
  String(cards.calls.findLast(({ body }) => body?.request?.id === String(id))?.attempt);

let disputes = 0;
/** Reports a new dispute as its connector does. Returns a function that reports its changes. */
async function dispute(id: number, more: object = {}) {
  disputes += 1;
  const name = `D-${disputes}`;
  const tell = async (revision: number, members: object) => {
    const path = '/connectors/acquirer/notices';
    const told = { type: 'dispute.changed', id: name, attempt: attemptOf(id), revision };
    const body = bodyFor('POST', path, { ...told, amount: 143_050, taken: 0, ...members });
    const headers = { ...cards.signed(signedText({ method: 'POST', path, body })) };
    expect((await service.call('POST', path, { body, key: null, headers })).status).toBe(200);
  };
  await tell(1, { state: 'evidence_due', ...more });
  return tell;
}

async function paidDebit(): Promise<number> {
  const made = await service.call('POST', '/card-adhesion', { body: keptCardBody() });
  await signKeptCard(signingUrl(service, 'card_adhesion', made.body.id));
  const { status, body, text } = await createCardDebit(service, made.body.id);
  expect(status, text).toBe(201);
  await handOver(service, body.id);
  const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
    select run_on from debit_runs where request_id = ${body.id}`;
  await player.move({ advance_to: `${row?.run_on}T00:01:00-03:00` });
  return body.id;
}

async function paidQr(part: string): Promise<number> {
  const qrs = callerOf(service);
  expect((await qrs.save([itemOf(service, part)])).status).toBe(201);
  expect((await qrs.pay(part)).body).toMatchObject({ status: 'Paid' });
  return (await qrs.status(part)).body.request_id;
}

async function paidRequest(): Promise<number> {
  const id = await player.create();
  await player.pay(id, { channel: 'DEBIN' });
  return id;
}

describe('liability for fraud', () => {
  const fact = '<dt>3-D Secure</dt><dd>autenticado. Un fraude lo paga el emisor</dd>';
  const inTable = '>Un fraude lo paga el emisor<';

  test('shows a card debit’s fraud liability on its page and in its disputes', async () => {
    const id = await paidDebit();
    const office = await signIn(service, 'read_only');
    const before = (await office.get(`${home}/debits/${id}`)).text;
    expect(before).toContain(fact);
    expect(before).not.toContain('id="disputes"');
    await dispute(id);
    const { text } = await office.get(`${home}/debits/${id}`);
    expect(text.slice(text.indexOf('id="disputes"'))).toContain(inTable);
  });

  test('shows a QR’s fraud liability on its page and in its disputes', async () => {
    const id = await paidQr('FRAUDE');
    const office = await signIn(service, 'read_only');
    expect((await office.get(`${home}/qr/${full('FRAUDE')}`)).text).toContain(fact);
    await dispute(id);
    const { text } = await office.get(`${home}/qr/${full('FRAUDE')}`);
    expect(text.slice(text.indexOf('id="disputes"'))).toContain(inTable);
  });

  test('shows no fraud liability for a payment without an authentication result', async () => {
    const { charge } = cards.plays;
    cards.plays.charge = ({ attempt, body }) => approvedAs(`ref-${attempt}`, body.amount);
    const id = await paidQr('NADIE').finally(() => {
      cards.plays.charge = charge;
    });
    await dispute(id);
    const { text } = await (await signIn(service, 'owner')).get(`${home}/qr/${full('NADIE')}`);
    expect(text).not.toContain('<dt>3-D Secure</dt>');
    expect(text.slice(text.indexOf('id="disputes"'))).not.toContain('Un fraude');
  });

  test('shows the fraud liability in the dispute lists of account and operator', async () => {
    await dispute(await paidRequest());
    const owner = await signIn(service, 'owner');
    const operator = await signIn(service, 'operator_read_only');
    expect((await owner.get(`${home}/disputes`)).text).toContain(inTable);
    expect((await operator.get('/portal/operator/disputes')).text).toContain(inTable);
  });
});

describe('the evidence deadline', () => {
  interface Letter {
    recipient: string;
    subject: string;
    body: string;
  }
  const letters = (): Promise<Letter[]> => service.sql<Letter[]>`
    select recipient, subject, body from mails
    where subject like '%las pruebas de%' order by recipient`;
  const forget = () => service.sql`delete from mails`;
  const today = () => service.service.parts.clocks.business.today();
  /** Returns a moment of the day `days` ahead. */
  const at = (days: number, time: string): string => `${today().add({ days })}T${time}:00-03:00`;
  const utc = (text: string): string => Temporal.Instant.from(text).toString();
  const dueAt = (text: string) => ({ evidence_due_at: utc(text) });

  beforeEach(async () => {
    await service.sql`update disputes set state = 'won'`;
    await service.sql`update memberships set state = 'ended'`;
    await forget();
  });

  test('warns once three days ahead, and once on the last day', async () => {
    const { email } = await signIn(service, 'owner');
    const id = await paidRequest();
    const due = at(10, '18:00');
    await dispute(id, dueAt(due));
    await player.move({ advance_to: at(6, '23:59') });
    expect(await letters()).toEqual([]);
    await player.move({ minutes: 2 });
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      recipient: email,
      subject: expect.stringContaining('vencen las pruebas de una disputa'),
      body: expect.stringContaining(`cobro ${id}, $\u00a01.430,50: hasta el`),
    });
    expect(letter?.body).toContain('18:00');
    expect(letter?.body).toContain(`${home}/disputes`);
    await forget();
    await player.move({ advance_to: at(2, '23:59') });
    expect(await letters()).toEqual([]);
    await player.move({ minutes: 2 });
    expect(await letters()).toHaveLength(1);
    await forget();
    await player.move({ days: 3 });
    expect(await letters()).toEqual([]);
  });

  test('warns only users who can answer disputes', async () => {
    const told = await Promise.all(
      (['owner', 'administrator', 'collections', 'treasury'] as const).map((role) =>
        signIn(service, role),
      ),
    );
    await signIn(service, 'read_only');
    await signIn(service, 'operator');
    await dispute(await paidRequest(), dueAt(at(2, '12:00')));
    await player.move({ minutes: 1 });
    expect((await letters()).map(({ recipient }) => recipient)).toEqual(
      told.map(({ email }) => email).toSorted(),
    );
  });

  test('warns each user about many disputes in one e-mail', async () => {
    await signIn(service, 'owner');
    for (const hour of ['12:00', '13:00', '14:00']) {
      await dispute(await paidRequest(), dueAt(at(2, hour)));
    }
    await player.move({ minutes: 1 });
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter?.subject).toContain('vencen las pruebas de 3 disputas');
    expect(letter?.body.match(/^- cobro /gm)).toHaveLength(3);
  });

  test('warns once from concurrent sweeps', async () => {
    await signIn(service, 'owner');
    await dispute(await paidRequest(), dueAt(at(2, '12:00')));
    const { base, links, clocks } = service.service.parts;
    const sweep = deadlineSweep(base, links);
    const counts = await Promise.all([1, 2, 3].map(() => sweep.run(clocks.business.now())));
    expect(counts.toSorted()).toEqual([0, 0, 1]);
    expect(await letters()).toHaveLength(1);
  });

  test('warns again about an extended deadline, but not about a decided or past one', async () => {
    await signIn(service, 'owner');
    const moved = await dispute(await paidRequest(), dueAt(at(2, '12:00')));
    const decided = await dispute(await paidRequest(), dueAt(at(8, '12:00')));
    await dispute(await paidRequest(), dueAt(at(-1, '12:00')));
    await player.move({ minutes: 1 });
    expect(await letters()).toHaveLength(1);
    await moved(2, { state: 'evidence_due', ...dueAt(at(8, '12:00')) });
    await decided(2, { state: 'won', ...dueAt(at(8, '12:00')) });
    await forget();
    await player.move({ advance_to: at(5, '00:01') });
    const [letter] = await letters();
    expect(letter?.body.match(/^- cobro /gm)).toHaveLength(1);
  });

  test('warns at once about a deadline that becomes earlier, even on the day of a previous warning', async () => {
    await signIn(service, 'owner');
    const moved = await dispute(await paidRequest(), dueAt(at(3, '18:00')));
    await player.move({ minutes: 1 });
    expect(await letters()).toHaveLength(1);
    await forget();
    await moved(2, { state: 'evidence_due', ...dueAt(at(0, '23:30')) });
    await player.move({ minutes: 1 });
    const [letter, ...others] = await letters();
    expect([letter?.body, others]).toEqual([expect.stringContaining('23:30'), []]);
    await forget();
    await player.move({ minutes: 1 });
    expect(await letters()).toEqual([]);
  });

  test('warns an account even if warning an earlier one fails', async () => {
    await signIn(service, 'owner');
    await dispute(await paidRequest(), dueAt(at(2, '12:00')));
    const acting = { ...service.service.parts.base, actor: testOperator };
    const account = { id: 'F0000001', name: 'Otra', cuit: '30999999995', city: 'Salta' };
    const { id: later } = await createAccount(acting, account);
    await service.sql`
      insert into disputes (account_id, id, request_id, attempt_id, connector, name, state, revision,
        amount, taken, evidence_due_at, opened_at, changed_at)
      select ${later}, id, request_id, attempt_id, connector, name, state, revision, amount, taken,
        evidence_due_at, opened_at, changed_at
      from disputes where account_id = ${testAccount} and state = 'evidence_due'`;
    await service.sql.unsafe(`
      create function refuse_letter() returns trigger language plpgsql as
        $$ begin raise exception 'no letter'; end $$;
      create trigger refuse_letter before insert on mails for each row
        when (new.account_id = '${testAccount}') execute function refuse_letter();`);
    const { base, links, clocks } = service.service.parts;
    const run = deadlineSweep(base, links, 1).run(clocks.business.now());
    await expect(run).rejects.toThrow('People of some accounts were not told');
    await service.sql.unsafe('drop trigger refuse_letter on mails; drop function refuse_letter');
    const told = await service.sql`
      select account_id from disputes where state = 'evidence_due' and warned_at is not null`;
    expect(told).toEqual([{ account_id: later }]);
  });

  test('treats the day before a midnight deadline as the last day', async () => {
    await signIn(service, 'owner');
    await dispute(await paidRequest(), dueAt(at(5, '00:00')));
    await player.move({ advance_to: at(1, '00:01') });
    await forget();
    await player.move({ advance_to: at(3, '00:01') });
    expect(await letters()).toHaveLength(1);
  });

  test('shows the evidence deadline on the home pages of account and operator until it has passed', async () => {
    const owner = await signIn(service, 'owner');
    const operator = await signIn(service, 'operator');
    const seen = async () => [
      (await owner.get(home)).text.includes('disputa que espera pruebas, hasta el'),
      (await operator.get('/portal/operator')).text.includes('1 disputa que espera pruebas'),
    ];
    expect(await seen()).toEqual([false, false]);
    await dispute(await paidRequest(), dueAt(at(9, '12:00')));
    expect(await seen()).toEqual([true, true]);
    expect((await owner.get(home)).text).toContain(`href="${home}/disputes"`);
    await player.move({ days: 10 });
    expect(await seen()).toEqual([false, false]);
  });
});
