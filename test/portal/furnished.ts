import { expect, vi } from 'vitest';
import { createAccount, moveAccount } from '../../src/accounts/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { raiseMoneyAlarm } from '../../src/money/alarms/index.ts';
import { keepSettlements } from '../../src/money/settlements/index.ts';
import { type Act, isAccountAct } from '../../src/users/index.ts';
import { testOperator } from '../harness/actors.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { staticBody } from '../harness/builders/static-qrs.ts';
import { sendPayout } from '../harness/money.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { file as fileOf, pagoFacilLines } from '../rails/files.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';
import { register } from '../webhooks/account.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { actRoutes } from './routes.ts';

export const home = `/portal/${testAccount}`;
const operating = '/portal/operator';

export interface FurnishedPage {
  route: string;
  path: string;
}

export interface Furnished {
  service: TestService;
  /** A user who may do everything that the pages offer. */
  office: Office;
  /** Declared pages of the room's acts; for an account, also its users' own pages. */
  pages: FurnishedPage[];
  stop(): Promise<void>;
}

/** Returns true for pages that are downloaded, printed or fetched by a program. */
export const isFile = (path: string): boolean =>
  /\.\w+$|\/file$|\/download$|\/payouts\/files\/:id$/.test(path);

/** Sends a form with a file as its page does. Returns the redirect's address. */
async function drop(office: Office, { to, name, content, fields = {} }: Dropped): Promise<string> {
  const file = { name, content: Buffer.from(content, 'latin1') };
  const { status, text, location } = await office.send(to, file, fields);
  const told = status === 303 ? '' : /role="alert".*?<\/div>/s.exec(text)?.[0];
  expect([to, status, told]).toEqual([to, 303, '']);
  return location ?? '';
}

interface Dropped {
  to: string;
  name: string;
  content: string;
  fields?: Record<string, string>;
}

const numberIn = (path: string): string => /(\d+)(?:\?.*)?$/.exec(path)?.[1] ?? '';

async function numberOf(rows: PromiseLike<readonly { id?: unknown }[]>): Promise<string> {
  const [row] = await rows;
  if (row?.id === undefined) throw new Error('nothing was made');
  return String(row.id);
}

/** Requests a refund that waits for a second person. Returns its address. */
async function askRefund(service: TestService, owner: Office): Promise<string> {
  const player = playerOf(service);
  const id = await player.create({ first_total: 4_000 });
  await player.pay(id, { channel: 'credit_card' });
  await owner.post(`${home}/settings/refunds`, { above: '1.000' });
  const treasurer = await signIn(service, 'treasury');
  const path = `${home}/requests/${id}/refund`;
  const { text } = await treasurer.get(path);
  const value = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const fields = { key: value('key'), result_id: value('result_id') };
  return (await treasurer.post(path, fields)).location ?? '';
}

/** Collects money and pays some of it out. Returns the paid request. */
async function collectMoney({ service, sql }: TestService, player: Player): Promise<number> {
  const paid = await player.create({ first_total: 5_000 });
  await player.pay(paid, { channel: 'wire_transfer' });
  await sql`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
  await player.move({ days: 4 });
  const order = { accountId: testAccount, amount: centavos(1_000), reference: 'semana' };
  await sendPayout(service.parts.base)({ ...order, actor: testOperator });
  return paid;
}

/** Creates one of each object that an account's addresses name. */
async function furnishAccount(service: TestService, owner: Office): Promise<Places> {
  const { sql, call } = service;
  const player = playerOf(service);
  const inbox = await openReceiver();
  await register(service, 'test-key-0123456789abcdef', inbox.url);
  const pending = await player.create({ payer_email: 'ana@example.com' });
  const paid = await collectMoney(service, player);
  const refund = await askRefund(service, owner);
  const bank = await signedAdhesion(service);
  const card = await signedCardAdhesion(service);
  const email = 'ana+nosign@example.com';
  const unsigned = (await call('POST', '/adhesion', { body: adhesionBody({ email }) })).body.id;
  const debit = (await createDebit(service, bank)).body.id;
  const qrs = callerOf(service);
  await qrs.save([itemOf(service, 'M1')]);
  await call('POST', '/create-qr', { body: staticBody() });
  await signIn(service, 'collections');
  const lines = [
    'Socio;Concepto;Vencimiento;Importe;Referencia',
    `Ana;Cuota;${dayIn(service, 20)};100,50;I-1`,
    ';Cuota;31-02-2027;x;I-2',
  ];
  const sheet = { to: `${home}/imports`, name: 'socios.csv', content: lines.join('\n') };
  const kind = { kind: 'payment_request' };
  const draft = numberIn(await drop(owner, { ...sheet, fields: kind }));
  const codes =
    'codigo;pagador;concepto;importe;vencimiento;ciudad\nP1;Ana;Cuota;10;31/12/2099;Salta';
  const upload = { to: `${home}/qr/uploads`, name: 'qr.csv', content: codes };
  const uploaded = await drop(owner, upload);
  const hook = await numberOf(sql`select id from webhooks where account_id = ${testAccount}`);
  const event = await vi.waitFor(
    async () => {
      const { text } = await owner.get(`${home}/webhooks/${hook}`);
      const [, id] = /\/events\/(\d+)/.exec(text) ?? [];
      expect(id).toBeDefined();
      return id ?? '';
    },
    { timeout: 20_000 },
  );
  await inbox.close();
  const key = await numberOf(sql`select id from api_keys where account_id = ${testAccount}`);
  const journal = await numberOf(sql`
    select id from journals where account_id = ${testAccount} order by id desc limit 1`);
  const member = await numberOf(sql`select id from users where email like 'collections-%'`);
  return {
    '/integrations/keys/:id': [`/integrations/keys/${key}`],
    '/webhooks/:webhook_id/events/:id': [`/webhooks/${hook}/events/${event}`],
    '/webhooks/:id': [`/webhooks/${hook}`],
    '/settings/users/:id': [`/settings/users/${member}`],
    '/requests/:id': [`/requests/${pending}`, `/requests/${paid}`],
    '/refunds/proposals/:id': [refund.slice(home.length)],
    '/imports/:id': [`/imports/${draft}`],
    '/mandates/new/:kind': ['/mandates/new/bank', '/mandates/new/card'],
    '/mandates/:kind/:id': [
      `/mandates/bank/${unsigned}`,
      `/mandates/bank/${bank}`,
      `/mandates/card/${card}`,
    ],
    '/mandates/bank/:id': [`/mandates/bank/${unsigned}`],
    '/mandates/card/:id': [`/mandates/card/${card}`],
    '/debits/new/:kind/:id': [`/debits/new/bank/${bank}`, `/debits/new/card/${card}`],
    '/debits/:id': [`/debits/${debit}`],
    '/qr/uploads/:id': [uploaded.slice(home.length)],
    '/qr/static/:id': [`/qr/static/${full('CAJA1')}`],
    '/qr/:id': [`/qr/${full('M1')}`],
    '/money/journals/:id': [`/money/journals/${journal}`],
    '/money/ledger/:kind/:account': ['/money/ledger/collection/money'],
    '/money/:figure': ['/money/available', '/money/unavailable'],
    '/reports/:name': ['/reports/collection', '/reports/refund'],
    '/settings/mails/:kind/:of': ['/settings/mails/request/es'],
  };
}

/** Creates one of each object that the operator's addresses name. */
async function furnishService(service: TestService, operator: Office): Promise<Places> {
  const { sql } = service;
  const { base, suspend } = service.service.parts;
  const player = playerOf(service);
  await collectMoney(service, player);
  const paidOn = base.clocks.business.today().toString().replaceAll('-', '');
  const lines = pagoFacilLines(paidOn, [{ code: '9'.repeat(42), amount: 100_000, paidOn }]);
  const file = { to: `${operating}/files`, name: 'PF.txt', content: fileOf(lines) };
  const done = await drop(operator, { ...file, fields: { rail: '' } });
  const { text } = await operator.get(done);
  const sha256 = /name="sha256" value="(\w+)"/.exec(text)?.[1] ?? '';
  const imported = (await operator.post(`${done}/confirm`, { sha256 })).location ?? '';
  const more = pagoFacilLines(paidOn, [{ code: '8'.repeat(42), amount: 90_000, paidOn }]);
  const dropped = await drop(operator, {
    ...file,
    content: fileOf(more),
    fields: { rail: '' },
  });
  await suspend([
    {
      reason: 'unknown_request',
      channel: 'non_banking',
      label: 'Pago Fácil',
      code: '123',
      amount: centavos(143_050),
      paidAt: base.clocks.business.now(),
      source: 'test',
      sourceRef: '1:1',
    },
  ]);
  const found = await numberOf(sql`select id from suspense order by id desc limit 1`);
  const request = await player.create();
  const { location: correction } = await operator.post(`${operating}/corrections`, {
    account: testAccount,
    amount: '1.430,50',
    reference: 'c-1',
    note: 'Comisión cobrada de más',
  });
  await operator.post(`${operating}/payouts/propose`, { reference: 'p-1', accounts: testAccount });
  const payout = await numberOf(sql`select id from proposals where kind = 'payout'`);
  await raiseMoneyAlarm(base, { kind: 'amount', fact: 'x', message: 'x', amount: centavos(5) });
  await sql`
    insert into connector_letters (id, connector, digest, body, fault, heard_at, state)
    values (7, 'banco', 'd', '{"type":"transfer.received"}', '/amount', now(), 'open')`;
  const alarm = await numberOf(sql`select id from money_alarms`);
  await keepSettlements({ ...base, actor: testOperator }, 'banco', [
    {
      ...({ name: 'L1', kind: 'sale', attempt: 'OTRO-1', trx: null } as const),
      ...{ account_id: null, attempt_id: null, is_part: false },
      ...{ gross: centavos(143_050), fee: centavos(5_000), net: centavos(138_050) },
      payout: {
        ...{ name: 'P1', net: centavos(138_050) },
        paidOn: base.clocks.business.today(),
      },
    },
  ]);
  const settlement = await numberOf(sql`select id from settlement_payouts`);
  const acting = { ...base, actor: testOperator };
  await createAccount(acting, { id: 'B1B2C3D4', name: 'Otra', cuit: '30999999995', city: 'Salta' });
  await moveAccount(acting, { accountId: 'B1B2C3D4', move: 'suspend', reason: 'fraude' });
  return {
    '/people/:id': [`/people/${operator.userId}`],
    '/files/uploads/:id': [dropped.slice(operating.length)],
    '/files/:id': [imported.slice(operating.length)],
    '/suspense/:id': [`/suspense/${found}`],
    '/letters/:id': ['/letters/7'],
    '/alarms/:id': [`/alarms/${alarm}`],
    '/settlements/:id': [`/settlements/${settlement}`],
    '/suspense/:id/assign': [`/suspense/${found}/assign?account=${testAccount}&request=${request}`],
    '/payouts/proposals/:id': [`/payouts/proposals/${payout}`],
    '/corrections/proposals/:id': [(correction ?? '').slice(operating.length)],
    '/accounts/:account/connectors/:name': [`/accounts/${testAccount}/connectors/banco`],
    '/accounts/:id/reopen': ['/accounts/B1B2C3D4/reopen'],
    '/accounts/:id': [`/accounts/${testAccount}`],
    '/accounts/:account': [`/accounts/${testAccount}`],
    '/accounts/:account/fees/:channel': [`/accounts/${testAccount}/fees/qr`],
    '/sandbox/requests/:id': [`/sandbox/requests/${request}`],
  };
}

type Places = Readonly<Record<string, readonly string[]>>;

/** Returns the addresses of a route, built on those of its longest known prefix. */
function addressesOf(path: string, places: Places): readonly string[] {
  if (!path.includes(':')) return [path];
  const known = Object.keys(places)
    .filter((one) => path === one || path.startsWith(`${one}/`))
    .toSorted((one, other) => other.length - one.length)[0];
  if (known === undefined) throw new Error(`nothing stands at ${path}`);
  return (places[known] ?? []).map((place) => place + path.slice(known.length));
}

/** A part of the portal: for an account and its users, or for the operator. */
export type Room = 'account' | 'operator';

export const roomOf = ({ act }: { act: Act }): Room => (isAccountAct(act) ? 'account' : 'operator');

/** Starts a service in which each page of a room has content and forms. */
export async function furnish(room: Room): Promise<Furnished> {
  const service = await startService({
    PAYOUT_APPROVAL_ABOVE: '1',
    CORRECTION_APPROVAL_ABOVE: '1',
    STRANGER_RATE: '0',
    PAGO_FACIL_CLIENT: '000000515',
    // No server listens there, because nothing here pays through this connector.
    CONNECTORS: JSON.stringify([
      {
        name: 'banco',
        url: 'http://127.0.0.1:1',
        secrets: [`whsec_${'c2Vj'.repeat(8)}`],
        channels: ['DEBIN'],
      },
    ]),
  });
  const ofAccount = room === 'account';
  const office = await signIn(service, ofAccount ? 'owner' : 'operator');
  const pages: FurnishedPage[] = [];
  if (ofAccount) {
    await office.post('/portal/me/factor/begin');
    const own = ['/portal', '/portal/me', '/portal/me/factor', '/portal/confirm'];
    pages.push(...own.map((path) => ({ route: path, path })));
  }
  const places = await (ofAccount ? furnishAccount : furnishService)(service, office);
  for (const route of actRoutes()) {
    const { method, path } = route;
    if (method !== 'GET' || isFile(path) || roomOf(route) !== room) continue;
    for (const address of addressesOf(path, places)) {
      const whole = `${ofAccount ? home : operating}${address === '/' ? '' : address}`;
      // Not every act is possible on every object: a paid request cannot be withdrawn.
      if ((await office.get(whole)).status === 200) pages.push({ route: path, path: whole });
    }
  }
  return { service, office, pages, stop: () => service.stop() };
}
