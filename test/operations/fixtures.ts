// Longer than 300 lines: one fixture for each operation.

import { cvuFor } from '../../connectors/bank/emulator/debins.ts';
import { drawAccountId } from '../../src/accounts/index.ts';
import { keepLetter } from '../../src/connectors/http.ts';
import { raiseMoneyAlarm } from '../../src/money/alarms/index.ts';
import { cbuOf } from '../events/desk.ts';
import { testOperator } from '../harness/actors.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { batchOf, full, itemOf } from '../harness/builders/qrs.ts';
import { signIn } from '../harness/portal.ts';
import { testAccount } from '../harness/service.ts';
import { dayIn } from '../scenarios/play.ts';
import type { OperationRoom, Role } from './room.ts';

/** A legal call of an operation. */
export interface Fixture {
  /** Words of its command; undefined if it has none. */
  command?: string;
  /** Address of its form in the portal, with members as `:id`; undefined if it has none. */
  page?: string;
  /** True if the command must name an operator other than the proposer. */
  named?: true;
  /** Reason why it leaves no event; undefined if it leaves one. */
  quiet?: string;
  /** Creates the prerequisites of the call. Returns its members in the format of a command line. */
  arrange(room: OperationRoom): Promise<Record<string, string>>;
}

const account = testAccount;
const otherCbu = '0110599500000123456784';
const portal = '/portal/:account';
const operator = '/portal/operator';

/**
 * Uses an account without pending money decisions, because changing its users disqualifies an
 * operator from them.
 */
const person = async ({ service, stranger }: OperationRoom, role: Role = 'read_only') => ({
  email: (await signIn(service, role, { accountId: stranger })).email,
});

const suspended = async (room: OperationRoom): Promise<string> => {
  const id = await room.account();
  await room.run('accounts', 'suspend', id, '--reason', 'r');
  return id;
};

const key = async ({ run, unique }: OperationRoom): Promise<string> => {
  const made = await run('keys', 'create', '--account', account, '--name', unique(), '--json');
  return String(JSON.parse(made).id);
};

const users: Record<string, Fixture> = {
  'user.create': {
    command: 'users create',
    arrange: async ({ unique }) => ({
      email: `${unique()}@example.com`,
      name: 'Op',
      role: 'operator_read_only',
    }),
  },
  'user.invite users.manage': {
    command: 'users invite',
    arrange: async ({ unique, stranger }) => ({
      email: `${unique()}@example.com`,
      name: 'Eva',
      account: stranger,
      role: 'treasury',
    }),
  },
  'user.invite accounts.manage': {
    page: `${operator}/accounts/:account/users/new`,
    arrange: async ({ unique, stranger }) => ({
      account: stranger,
      email: `${unique()}@example.com`,
      name: 'Eva',
      role: 'treasury',
    }),
  },
  'user.service-role': {
    command: 'users service-role',
    arrange: async (room) => ({ ...(await person(room)), role: 'operator_read_only' }),
  },
  'user.role': {
    command: 'users role',
    arrange: async (room) => ({
      ...(await person(room)),
      account: room.stranger,
      role: 'collections',
    }),
  },
  'user.remove': {
    command: 'users remove',
    arrange: async (room) => ({ ...(await person(room)), account: room.stranger }),
  },
  'user.suspend': { command: 'users suspend', arrange: (room) => person(room) },
  'user.reopen': {
    command: 'users reopen',
    async arrange(room) {
      const { email } = await person(room);
      await room.run('users', 'suspend', email);
      return { email };
    },
  },
  'user.release': {
    command: 'users release',
    async arrange(room) {
      const { email } = await person(room);
      const browser = { address: '203.0.113.1', userAgent: '' };
      const tried = { email, password: 'x', browser, network: '203.0.113.1' };
      await room.service.service.parts.users.signIn(tried);
      return { email };
    },
  },
  'user.sign-out': { command: 'users sign-out', arrange: (room) => person(room) },
  'user.invite-again': {
    page: `${portal}/settings/users/:id/resend`,
    // An invitation by command would disqualify every operator from payout decisions.
    async arrange({ offices, service, unique }) {
      const email = `${unique()}@example.com`;
      const asked = { email, name: 'Eva', role: 'read_only' };
      await offices.owner.post(`/portal/${account}/settings/users/new`, asked);
      const user = await service.service.parts.users.find(email);
      return { account, id: String(user?.id) };
    },
  },
  'user.service-remove': {
    page: '/portal/operator/people/:id/remove',
    arrange: async ({ service }) => ({
      id: String((await signIn(service, 'operator_read_only')).userId),
    }),
  },
  'user.reset': { command: 'users reset', arrange: (room) => person(room) },
  'user.remove-factor': {
    command: 'users remove-factor',
    async arrange(room) {
      const { email } = await person(room);
      const { users: verbs } = room.service.service.parts;
      const user = await verbs.find(email);
      if (!user) throw new Error(`no ${email}`);
      await verbs.beginFactor(testOperator, user);
      return { email };
    },
  },
  'user.link': {
    command: 'users link',
    async arrange(room) {
      const { email } = await person(room);
      return { email, subject: room.unique(), issuer: 'https://login.example.com' };
    },
  },
  'user.unlink': {
    command: 'users unlink',
    async arrange(room) {
      const { email } = await person(room);
      await room.service.sql`
        insert into user_identities (issuer, subject, user_id, linked_at)
        select 'https://login.example.com', email, id, now() from users where email = ${email}`;
      return { email };
    },
  },
};

const accounts: Record<string, Fixture> = {
  'account.rename': {
    command: 'accounts rename',
    arrange: async ({ unique }) => ({ id: account, name: unique() }),
  },
  'account.suspend': {
    command: 'accounts suspend',
    page: `${operator}/accounts/:id/suspend`,
    arrange: async (room) => ({ id: await room.account(), reason: 'r' }),
  },
  'account.reopen': {
    command: 'accounts reopen',
    page: `${operator}/accounts/:id/reopen`,
    arrange: async (room) => ({ id: await suspended(room), reason: 'r' }),
  },
  'account.close': {
    command: 'accounts close',
    arrange: async (room) => ({ id: await room.account(), reason: 'r' }),
  },
  'account.approve-look': {
    command: 'accounts approve-look',
    named: true,
    arrange: async ({ proposed }) => ({ account, id: await proposed.look() }),
  },
  'account.reject-look': {
    command: 'accounts reject-look',
    named: true,
    arrange: async ({ proposed }) => ({ account, id: await proposed.look(), reason: 'r' }),
  },
  'account.create': {
    command: 'accounts create',
    arrange: async ({ unique }) => ({ name: unique(), cuit: '30999999995' }),
  },
  'account.open': {
    page: `${operator}/accounts/:id/create`,
    arrange: async ({ unique }) => ({
      id: drawAccountId(),
      name: unique(),
      cuit: '30-99999999-5',
      city: 'Salta',
      owner_name: 'Eva',
      email: `${unique()}@example.com`,
    }),
  },
  'account.set': {
    command: 'accounts set',
    page: `${operator}/accounts/:id/settings`,
    arrange: async ({ account: make, unique }) => ({
      id: await make(),
      name: unique(),
      card_cut_day: '15',
      letters_a_day: '3',
      letters_a_minute: '0',
      unsigned_mandates: '7',
    }),
  },
  'account.withdraw-look': {
    page: `${portal}/settings/waiting/:id/withdraw`,
    arrange: async ({ proposed }) => ({ account, id: await proposed.look() }),
  },
  'notices.choose': {
    page: `${portal}/settings/notifications`,
    async arrange({ service }) {
      await service.sql`update memberships set notices = '{}'`;
      return { account, topics: 'summary' };
    },
  },
  'payer_mail.settings': {
    page: `${portal}/settings/mails`,
    arrange: async ({ unique }) => ({
      account,
      kinds: 'receipt',
      days: String(1 + (Number(unique().slice(1)) % 30)),
      languages: 'es',
      coupon: 'link',
    }),
  },
  'account.ask-cbu': {
    page: `${portal}/settings/bank-account/change`,
    async arrange({ service }) {
      await service.sql`update accounts set next_payout_cbu = null, next_payout_cbu_at = null`;
      return { account, cbu: otherCbu };
    },
  },
  'account.cancel-cbu': {
    page: `${portal}/settings/bank-account/cancel`,
    async arrange({ service }) {
      await service.sql`
        update accounts set next_payout_cbu = ${otherCbu},
          next_payout_cbu_at = now() + interval '1 day' where id = ${account}`;
      return { account, cbu: otherCbu };
    },
  },
  'api_key.create': {
    command: 'keys create',
    page: `${portal}/integrations/keys/:key/create`,
    async arrange({ service, unique }) {
      const key = String(await service.service.parts.base.recordIds.next());
      const limits = { expires: '2030-01-31', ranges: '203.0.113.0/24' };
      return { account, key, name: unique(), permissions: 'read', ...limits };
    },
  },
  'api_key.restrict': {
    command: 'keys restrict',
    page: `${portal}/integrations/keys/:id/restrict`,
    arrange: async (room) => ({ id: await key(room), account, ranges: '203.0.113.0/24' }),
  },
  'api_key.rotate': {
    command: 'keys rotate',
    page: `${portal}/integrations/keys/:id/rotate`,
    arrange: async (room) => ({ id: await key(room), account, overlap: '1h' }),
  },
  'api_key.revoke': {
    command: 'keys revoke',
    page: `${portal}/integrations/keys/:id/revoke`,
    arrange: async (room) => ({ id: await key(room), account }),
  },
};

/** Creates an account with money and a CBU, and no payout today. */
const funded = async ({ account: make, run }: OperationRoom): Promise<string> => {
  const id = await make();
  await run('accounts', 'set', id, '--cbu', cbuOf);
  const correction = ['--amount', '50', '--reference', 'seed', '--note', 'n'];
  await run('ledger', 'correct', '--account', id, ...correction);
  return id;
};

const paidRequest = async ({ paid, unique }: OperationRoom) => ({
  account,
  request: String(await paid()),
  reference: unique(),
  reason: 'r',
});

/** Returns the terms of a channel from a day on, for an account that has none. */
const ownTerms = async (room: OperationRoom) => ({
  account: await room.account(),
  channel: 'qr',
  percentage: '1',
  days: '2',
  from: dayIn(room.service, 5),
});

/** Stores a notice that this release cannot read. */
async function deadLetter({ service, unique }: OperationRoom, notice: object): Promise<string> {
  await keepLetter(service.service.parts.base, 'shop', { ...notice, id: unique() });
  const [row] = await service.sql<{ id: number }[]>`
    select id from connector_letters order by id desc limit 1`;
  return String(row?.id);
}

const money: Record<string, Fixture> = {
  'payout.create': {
    command: 'payouts create',
    arrange: async (room) => ({ account: await funded(room), amount: '5', reference: 'p' }),
  },
  'payout.propose': {
    page: `${operator}/payouts/propose`,
    arrange: async (room) => ({ accounts: await funded(room), reference: room.unique() }),
  },
  'payout_file.make': {
    page: `${operator}/payouts/files`,
    async arrange(room) {
      const reference = room.unique();
      const args = ['--account', await funded(room), '--amount', '5', '--reference', reference];
      await room.run('payouts', 'create', ...args);
      return { reference };
    },
  },
  'payout_file.make-all': {
    page: `${operator}/payouts/files/all`,
    async arrange(room) {
      const args = ['--amount', '5', '--reference', room.unique()];
      await room.run('payouts', 'create', '--account', await funded(room), ...args);
      return {};
    },
  },
  'payout.withdraw': {
    page: `${portal}/money/payouts/asked/:id/withdraw`,
    async arrange({ offices, service }) {
      const waiting = () => service.sql<{ id: number }[]>`
        select id from proposals
        where account_id = ${account} and state = 'waiting' and expires_at is not null`;
      if ((await waiting()).length === 0) {
        const form = { key: crypto.randomUUID(), amount: '1' };
        await offices.treasury.post(`/portal/${account}/money/payouts/ask`, form);
      }
      const [row] = await waiting();
      return { account, id: String(row?.id) };
    },
  },
  'payout.return': {
    command: 'payouts return',
    async arrange(room) {
      const of = await funded(room);
      const args = ['--account', of, '--amount', '5', '--reference', 'p', '--json'];
      const { id } = JSON.parse(await room.run('payouts', 'create', ...args));
      return { id: String(id), account: of, reason: 'r' };
    },
  },
  'collection.refund': {
    command: 'collections refund',
    arrange: (room) => paidRequest(room),
  },
  'collection.chargeback': {
    command: 'collections chargeback',
    arrange: (room) => paidRequest(room),
  },
  'fees.set': { command: 'fees set', arrange: (room) => ownTerms(room) },
  'fees.end': {
    command: 'fees end',
    async arrange(room) {
      const terms = await ownTerms(room);
      const { account: of, channel, from } = terms;
      const flags = Object.entries(terms).flatMap(([name, value]) => [`--${name}`, value]);
      await room.run('fees', 'set', ...flags);
      return { account: of, channel, from };
    },
  },
  'plan.set': {
    command: 'plans set',
    arrange: async (room) => ({ account: await room.account(), brand: 'visa', installments: '1' }),
  },
  'alarm.close': {
    command: 'alarms close',
    page: '/portal/operator/alarms/:id/close',
    async arrange({ service, unique }) {
      const alarm = { kind: 'amount', fact: unique(), message: 'x' } as const;
      await raiseMoneyAlarm(service.service.parts.base, alarm);
      const [row] = await service.sql<{ id: number }[]>`
        select id from money_alarms order by id desc limit 1`;
      return { id: String(row?.id), note: 'n' };
    },
  },
  'connector.resume': {
    command: 'connectors resume',
    async arrange({ superuser, unique }) {
      const name = unique();
      await superuser`
        insert into connector_alarms (connector, kind, message, first_at, last_at)
        values (${name}, 'lost', 'm', '2026-01-01', '2026-01-01')`;
      return { name };
    },
  },
  'connector.configure': {
    command: 'connectors configure',
    page: '/portal/operator/accounts/:account/connectors/:name',
    arrange: async ({ unique }) => ({ name: 'shop', account, settings: `{"shop":"${unique()}"}` }),
  },
  'letter.replay': {
    command: 'connectors replay',
    page: '/portal/operator/letters/:id/replay',
    async arrange(room) {
      const transfer = { type: 'transfer.received', cvu: cvuFor('77'), amount: '100' };
      const id = await deadLetter(room, { ...transfer, paid_at: '2026-11-20T09:00:00Z' });
      await room.superuser`
        update connector_letters set body = replace(body, '"100"', '100') where id = ${id}`;
      return { id };
    },
  },
  'letter.discard': {
    command: 'connectors discard',
    page: '/portal/operator/letters/:id/discard',
    arrange: async (room) => ({ id: await deadLetter(room, { type: 'later' }), note: 'n' }),
  },
  'ledger.correct': {
    command: 'ledger correct',
    page: '/portal/operator/corrections',
    arrange: async ({ unique }) => ({ account, amount: '5', reference: unique(), note: 'n' }),
  },
  'suspense.assign': {
    command: 'suspense assign',
    page: '/portal/operator/suspense/:id/assign',
    arrange: async ({ lostMoney, player, unique }) => ({
      id: await lostMoney(unique()),
      account,
      request: String(await player.create()),
      note: 'n',
    }),
  },
  'suspense.return': {
    command: 'suspense return',
    page: '/portal/operator/suspense/:id/return',
    arrange: async ({ lostMoney, unique }) => ({ id: await lostMoney(unique()), note: 'n' }),
  },
  'refund.done': {
    command: 'refunds done',
    arrange: async ({ byTransfer }) => ({ id: await byTransfer(), account, reference: 't' }),
  },
  'refund.fail': {
    command: 'refunds fail',
    arrange: async ({ byTransfer }) => ({ id: await byTransfer(), account, reason: 'r' }),
  },
  'refund.limit': {
    page: `${portal}/settings/refunds`,
    arrange: async ({ unique }) => ({ above: String(2 + Number(unique().slice(1))) }),
  },
};

type Proposals = OperationRoom['proposed'];

const decision = (of: keyof Proposals, door: Partial<Fixture>, more = {}): Fixture => ({
  ...door,
  arrange: async ({ proposed }) => ({ id: await proposed[of](), ...more }),
});

/** Removes the files that were sent, and creates a request to publish. */
const publication = async ({ player, superuser }: OperationRoom) => {
  await superuser`delete from rail_files where direction = 'out'`;
  await player.create();
  return { rail: 'pmc' };
};

const files: Record<string, Fixture> = {
  'rail_file.prepare': { page: `${operator}/files/send`, arrange: publication },
  'rail_file.prepare-again': { page: `${operator}/files/send/again`, arrange: publication },
};

/** Inserts an e-mail, and returns its number. */
async function mail({ superuser, service }: OperationRoom, state: string): Promise<string> {
  const id = await service.service.parts.base.recordIds.next();
  await superuser`
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
    values (${account}, ${id}, 'b@example.com', 'x', 'x', ${state}, 1, '2020-01-01')`;
  return String(id);
}

const bounced = (id: string): string =>
  [
    'Content-Type: multipart/report; report-type=delivery-status; boundary=B',
    '\n--B\nContent-Type: message/delivery-status',
    '\nFinal-Recipient: rfc822; b@example.com\nAction: failed\nStatus: 5.1.1',
    '\n--B\nContent-Type: text/rfc822-headers',
    `\nMessage-ID: <${account}.${id}@x>\n--B--\n`,
  ].join('\n');

const upkeep: Record<string, Fixture> = {
  'mail.resend': {
    command: 'mails resend',
    arrange: async (room) => ({ account, id: await mail(room, 'failed') }),
  },
  'payer_mail.bounces': {
    command: 'mails bounces',
    async arrange(room) {
      const id = await mail(room, 'sent');
      await room.superuser`
        insert into payer_mails (account_id, request_id, kind, no, copy, state, at, mail_id)
        values (${account}, ${id}, 'request', 0, 0, 'queued', '2020-01-01', ${id})`;
      return { file: await room.file(`${room.unique()}.eml`, bounced(id)) };
    },
  },
  'card_bins.import': {
    command: 'cards import',
    arrange: async ({ file, unique }) => ({
      file: await file(`${unique()}.csv`, 'prefix,kind\n400000,debit\n'),
    }),
  },
  'service_key.rotate': {
    command: 'secrets rotate',
    arrange: async () => ({ purpose: 'links' }),
  },
};

const sandbox = `${operator}/sandbox`;
const games: Record<string, Fixture> = {
  'sandbox.move-clock': {
    page: `${sandbox}/clock`,
    // Moves the clock by about a second, so that the other fixtures stay on their day. Runs due
    // work first.
    async arrange({ service, called }) {
      await called('POST', '/sandbox/clock', { minutes: 0 });
      const now = service.service.parts.clocks.business.now();
      return { from: String(now.subtract({ minutes: 59, seconds: 59 })), step: 'hour', until: '' };
    },
  },
  'sandbox.pay': {
    page: `${sandbox}/requests/:id/pay/:key`,
    arrange: async ({ player }) => ({
      ...{ id: String(await player.create()), key: crypto.randomUUID() },
      ...{ channel: '', amount: '', card_number: '' },
    }),
  },
  'sandbox.charge-back': {
    page: `${sandbox}/requests/:id/chargeback/:key`,
    async arrange({ paid, service }) {
      const id = await paid();
      const [row] = await service.sql<{ id: number }[]>`
        select id from results where request_id = ${id}`;
      return { id: String(id), key: crypto.randomUUID(), result: String(row?.id) };
    },
  },
};

/** Fixtures of operations that share a name, by their act. */
const proposals: Record<string, Fixture> = {
  'proposal.approve payouts.approve': decision('payout', {
    command: 'payouts approve',
    page: '/portal/operator/payouts/proposals/:id/approve',
    named: true,
  }),
  'proposal.reject payouts.approve': decision(
    'payout',
    {
      command: 'payouts reject',
      page: '/portal/operator/payouts/proposals/:id/reject',
      named: true,
    },
    { reason: 'r' },
  ),
  'proposal.approve corrections.approve': decision('correction', {
    command: 'ledger approve',
    page: '/portal/operator/corrections/proposals/:id/approve',
    named: true,
  }),
  'proposal.reject corrections.approve': decision(
    'correction',
    {
      command: 'ledger reject',
      page: '/portal/operator/corrections/proposals/:id/reject',
      named: true,
    },
    { reason: 'r' },
  ),
  'proposal.approve refunds.approve': decision('refund', {
    page: `${portal}/refunds/proposals/:id/approve`,
  }),
  'proposal.reject refunds.approve': decision(
    'refund',
    { page: `${portal}/refunds/proposals/:id/reject` },
    { reason: 'r' },
  ),
};

const letter = async ({ unsigned }: OperationRoom) => ({
  account,
  id: String(await unsigned()),
});

const hook = async ({ hook: make }: OperationRoom) => ({ account, id: await make() });

const integrators: Record<string, Fixture> = {
  'webhook.create': {
    page: `${portal}/webhooks/:key/create`,
    async arrange({ service }) {
      const key = String(await service.service.parts.base.recordIds.next());
      return { account, key, url: 'http://127.0.0.1:9/x', event_types: 'payment_request.paid' };
    },
  },
  'webhook.edit': {
    command: 'webhooks edit',
    page: `${portal}/webhooks/:id/edit`,
    arrange: async (room) => ({
      ...(await hook(room)),
      url: 'http://127.0.0.1:9/y',
      event_types: '*',
    }),
  },
  'webhook.rotate-secret': {
    command: 'webhooks rotate-secret',
    page: `${portal}/webhooks/:id/rotate`,
    arrange: hook,
  },
  'webhook.pause': { page: `${portal}/webhooks/:id/pause`, arrange: hook },
  'webhook.resume': {
    page: `${portal}/webhooks/:id/resume`,
    async arrange(room) {
      const input = await hook(room);
      await room.offices.owner.post(`/portal/${account}/webhooks/${input.id}/pause`);
      return input;
    },
  },
  'webhook.test': {
    page: `${portal}/webhooks/:id/test`,
    quiet: 'nothing is kept of it',
    arrange: hook,
  },
  'webhook.remove': { page: `${portal}/webhooks/:id/remove`, arrange: hook },
  'event.resend': {
    command: 'webhooks resend',
    quiet: 'queues a delivery, which is kept itself',
    page: `${portal}/webhooks/:webhook_id/events/:id/resend`,
    // The webhook must exist before its event to have a delivery.
    async arrange({ service, hook: make, paid, called }) {
      const id = await paid();
      await service.service.parts.webhooks.publish();
      const { data } = await called('GET', `/event?entity_id=${id}&type=payment_request.paid`);
      return { account, id: String(data[0].id), webhook_id: await make() };
    },
  },
  'adhesion.cancel': {
    page: `${portal}/mandates/bank/:id/cancel`,
    arrange: async ({ unsigned }) => ({ account, id: String(await unsigned()) }),
  },
  'card_adhesion.cancel': {
    page: `${portal}/mandates/card/:id/cancel`,
    arrange: async ({ cardMandate }) => ({ account, id: String(await cardMandate()) }),
  },
  'signing.resend': { command: 'signing resend', arrange: (room) => letter(room) },
  'signing.new-link': { command: 'signing new-link', arrange: (room) => letter(room) },
  'mandate.remind': {
    page: `${portal}/mandates/bank/:id/remind`,
    arrange: async (room) => ({ ...(await letter(room)), link: 'same', version: '1' }),
  },
  'debit.cancel': {
    page: `${portal}/debits/:id/cancel`,
    async arrange({ service }) {
      const debit = await createDebit(service, await signedAdhesion(service));
      return { account, id: String(debit.body.id) };
    },
  },
  'payment_request.withdraw': {
    page: `${portal}/requests/:id/withdraw`,
    arrange: async ({ player }) => ({ account, id: String(await player.create()) }),
  },
  'payment_request.resend': {
    page: `${portal}/requests/:id/resend`,
    async arrange({ player, unique }) {
      const id = await player.create({ payer_email: `${unique()}@example.com` });
      return { account, id: String(id) };
    },
  },
  'qr.remove': {
    page: `${portal}/qr/:id/delete`,
    async arrange({ service, unique }) {
      const id = unique().toUpperCase();
      await service.call('POST', '/save-qr-data', { body: batchOf([itemOf(service, id)]) });
      return { account, id: full(id) };
    },
  },
  'card.erase': {
    command: 'cards erase',
    async arrange({ cardMandate, called }) {
      const id = String(await cardMandate());
      await called('PUT', `/card-adhesion/${id}/cancel`);
      return { adhesion: id, account };
    },
  },
};

export const fixtures: Readonly<Record<string, Fixture>> = {
  ...users,
  ...accounts,
  ...money,
  ...games,
  ...files,
  ...upkeep,
  ...proposals,
  ...integrators,
};
