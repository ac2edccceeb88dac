import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandTree, leavesOf } from '../../src/cli/tree.ts';
import { keepLetter } from '../../src/connectors/http.ts';
import { centavos } from '../../src/kernel/money.ts';
import { raiseMoneyAlarm } from '../../src/money/alarms/index.ts';
import { suspend } from '../../src/money/suspense/index.ts';
import { system } from '../../src/platform/actor.ts';
import { adhesionBody, signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
// Imported for its build, which also compiles the client that `init` copies.
import '../harness/built.ts';
import { testPassword } from '../harness/portal.ts';
import { startService, type TestService, testAccount, testKey } from '../harness/service.ts';
import { pmcLines } from '../rails/files.ts';
import { dayIn, playerOf } from '../scenarios/play.ts';
import { registration } from '../webhooks/account.ts';
import { recaudo } from './run.ts';

let service: TestService;
let folder: string;
/** Values of the placeholders in the arguments below: ids, days and paths. */
const made: Record<string, string | undefined> = {};

const run = (words: string, args: readonly string[]) => {
  const given = args.map((arg) => made[arg] ?? arg);
  const env = { DATABASE_URL: service.databaseUrl, DATA_DIR: folder, RECAUDO_API_KEY: testKey };
  return recaudo([...words.split(' '), ...given, '--json'], env);
};

const oddMoney = (code: string) => ({
  reason: 'unreadable_code' as const,
  channel: 'non_banking' as const,
  label: 'Pago Fácil',
  code,
  amount: centavos(12_345),
  paidAt: service.service.parts.clocks.business.now(),
  source: 'pago_facil',
  sourceRef: code,
});

/** Creates a refund that waits for the operator's transfer. */
async function askedRefund(): Promise<string> {
  const id = await playerOf(service).create();
  await service.call('POST', `/sandbox/pay/${id}`, { body: { channel: 'non_banking' } });
  const refund = { amount: 1, cbu: '0170099220000067797370' };
  const asked = await service.call('POST', `/payment-request/${id}/refund`, { body: { refund } });
  if (asked.body.state !== 'requested') throw new Error(asked.text);
  return String(asked.body.id);
}

/** Writes the files that commands read. */
async function writeFiles(): Promise<void> {
  const today = dayIn(service, 0).split('-').toReversed().join('');
  const texts = {
    REGISTER:
      'cuit,regime,jurisdiction,rate,valid_from,valid_to\n20329642330,iibb,AR-B,1.50,2026-01-01,\n',
    SHEET: `Nombre;Concepto;Vencimiento;Monto\nAna;Cuota;${dayIn(service, 9)};10\n`,
    BINS: 'prefix,kind\n450799,credit\n',
    BOUNCES: 'Subject: x\n\nno bounce\n',
    QRS: `id,city,multiple_payment,description,first_total,first_due_date,payer_name\nq1,Rosario,false,Cuota,100.50,${dayIn(service, 9)},Ana\n`,
    MOVED: JSON.stringify([
      {
        ...{ id: 1, type: 'payment_request', state: 'pending', payer_name: 'Ana' },
        ...{ description: 'Cuota', first_due_date: dayIn(service, 9), first_total: 10 },
      },
    ]),
    PAYMENTS: `${pmcLines(today, [{ code: '999', amount: 250, paidOn: today }]).join('\r\n')}\r\n`,
    PART: 'half a file',
  };
  for (const [name, text] of Object.entries(texts)) {
    made[name] = path.join(folder, name === 'PART' ? 'direct-debit-350-424242.part' : name);
    await writeFile(made[name] ?? '', text);
  }
}

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-json-'));
  const player = playerOf(service);
  for (const what of ['REFUNDED', 'CHARGED']) {
    const id = await player.create();
    await service.call('POST', `/sandbox/pay/${id}`, { body: {} });
    made[what] = String(id);
  }
  made.OWED = String(await player.create());
  await service.call('POST', '/sandbox/clock', { body: { days: 10 } });
  made.UNSIGNED = String(
    (
      await service.call('POST', '/adhesion', {
        body: adhesionBody({ email: 'ana+nosign@example.com' }),
      })
    ).body.id,
  );
  made.SIGNED = String(await signedAdhesion(service));
  made.CARD = String(await signedCardAdhesion(service));
  await service.call('PUT', `/card-adhesion/${made.CARD}/cancel`);
  await suspend(service.service.parts.base)([oddMoney('a'), oddMoney('b')]);
  const odd = await service.sql<{ id: number }[]>`select id from suspense order by id`;
  [made.ODD1, made.ODD2] = odd.map((row) => String(row.id));
  // Simulates an alarm of a connector that is no longer configured.
  await service.sql`
    insert into connector_alarms (connector, channel, kind, message, first_at, last_at)
    values ('bank', '', 'card', 'x', now(), now())`;
  await raiseMoneyAlarm(service.service.parts.base, { kind: 'amount', fact: 'x', message: 'x' });
  const [alarm] = await service.sql<{ id: number }[]>`select id from money_alarms`;
  made.ALARM = String(alarm?.id);
  await keepLetter(service.service.parts.base, 'bank', { type: 'later' });
  const [letter] = await service.sql<{ id: number }[]>`select id from connector_letters`;
  made.LETTER = String(letter?.id);
  for (const refund of ['SENT', 'UNSENT']) made[refund] = await askedRefund();
  made.FROM = dayIn(service, 1);
  made.FOLDER = folder;
  made.SHOP = path.join(folder, 'shop');
  made.OPERATOR = 'decider@example.com';
  await service.service.parts.users.create(system, {
    email: made.OPERATOR,
    name: 'Eva',
    lang: 'es',
    password: testPassword,
    serviceRole: 'operator',
    membership: null,
  });
  made.RESULT = path.join(folder, 'result.csv');
  await service.service.parts.webhooks.publish();
  const { body } = await service.call('GET', '/event?type=payment_request.paid');
  made.EVENT = String(body.data[0].id);
  const hook = registration('http://127.0.0.1:1/hook');
  made.HOOK = String((await service.call('POST', '/webhook', { body: hook })).body.id);
  await writeFiles();
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const account = ['--account', testAccount];
const operator = ['--name', 'Op', '--role', 'operator'];
const member = ['--name', 'Eva', '--role', 'collections'];
const demo = 'demo@recaudo.example';
const why = ['--reason', 'prueba'];
const terms = ['--percentage', '1.5', '--days', '2', '--from', 'FROM'];
const link = ['--channel', 'link_pagos'];

/** Every act, in an order that satisfies their prerequisites, with members of its response. */
const acts: [words: string, args: string[], members: string[]][] = [
  ['migrate', [], ['applied']],
  ['version', [], ['version']],
  ['init', ['SHOP'], ['folder', 'next']],
  ['estimate', ['--requests', '1000000'], ['creates', 'processCores', 'bytesKept', 'step']],
  ['accounts create', ['--name', 'Nueva', '--cuit', '30-99999999-5', '--id', 'C0FFEE00'], ['id']],
  ['accounts show', [testAccount], ['id', 'state', 'available']],
  ['accounts set', [testAccount, '--cbu', '2850590940090418135201'], ['id', 'payout_cbu']],
  ['accounts rename', [testAccount, 'Otra'], ['id', 'name', 'changed']],
  ['accounts suspend', [testAccount, ...why], ['id', 'changed']],
  ['accounts reopen', [testAccount, ...why], ['id', 'changed']],
  ['accounts close', ['C0FFEE00', ...why], ['id', 'closed']],
  ['keys create', account, ['id', 'key', 'permissions']],
  ['keys restrict', [...account, 'KEY', '203.0.113.0/24'], ['id', 'ranges', 'changed']],
  ['keys rotate', [...account, 'KEY', '--overlap', '1h'], ['id', 'key', 'replaces', 'until']],
  ['keys revoke', [...account, 'KEY'], ['id', 'revoked']],
  ['users create', ['op@example.com', ...operator], ['id', 'email', 'role']],
  ['users invite', ['eva@example.com', ...account, ...member], ['id', 'email', 'role']],
  ['users role', ['eva@example.com', ...account, '--role', 'treasury'], ['email', 'role']],
  ['users remove', ['eva@example.com', ...account], ['email', 'removed']],
  ['users release', [demo], ['email', 'released']],
  ['users sign-out', [demo], ['email', 'sessions']],
  ['users service-role', [demo, '--role', 'none'], ['email', 'role', 'changed']],
  ['users reset', [demo], ['email', 'sent']],
  ['users remove-factor', [demo], ['email', 'removed']],
  [
    'users link',
    [demo, '--subject', 'demo-1', '--issuer', 'https://login.example.com'],
    ['email', 'linked'],
  ],
  ['users unlink', [demo], ['email', 'unlinked']],
  ['users suspend', [demo], ['email', 'state', 'changed']],
  ['users reopen', [demo], ['email', 'state', 'changed']],
  ['payers erase', ['--cuit', '27055361687', '--reason', 'EX-1'], ['state', 'accounts', 'needed']],
  ['calendar add', ['24-12-2027'], ['day', 'kind', 'runs', 'releases']],
  ['calendar remove', ['24-12-2027'], ['day', 'kind']],
  ['fees set', [...account, ...link, ...terms], ['channel', 'from', 'percentage', 'days']],
  ['fees end', [...account, ...link, '--from', 'FROM'], ['channel', 'from']],
  ['register import', ['REGISTER'], ['outcome', 'lines', 'changes']],
  [
    'collections refund',
    ['--request', 'REFUNDED', '--reference', 'r', ...why],
    ['outcome', 'result'],
  ],
  [
    'collections chargeback',
    ['--request', 'CHARGED', '--reference', 'c', ...why],
    ['outcome', 'result'],
  ],
  [
    'ledger correct',
    ['--amount', '9000', '--reference', 'x', '--note', 'n'],
    ['outcome', 'amount'],
  ],
  ['payouts create', ['--amount', '20', '--reference', 'p1'], ['id', 'outcome', 'amount', 'cbu']],
  ['payouts return', ['PAYOUT', ...why], ['id', 'outcome']],
  ['payouts run', ['--reference', 'p2', '--out', 'FOLDER'], ['payouts', 'file']],
  ['refunds done', ['SENT', '--reference', 'r'], ['refund', 'state', 'outcome']],
  ['connectors resume', ['bank'], ['connector', 'forgotten']],
  ['connectors discard', ['LETTER', ...why], ['id', 'state']],
  ['refunds fail', ['UNSENT', ...why], ['refund', 'state', 'outcome']],
  ['suspense assign', ['ODD1', '--request', 'OWED', ...why], ['id', 'outcome', 'request']],
  ['suspense return', ['ODD2', ...why], ['id', 'outcome']],
  ['alarms close', ['ALARM', ...why], ['id', 'outcome']],
  ['rails import', ['pmc', 'PAYMENTS'], ['outcome', 'id', 'suspense_total']],
  ['rails export', ['link', '--out', 'FOLDER'], ['rail', 'files', 'left_out']],
  ['rails shred', ['PART'], ['shredded']],
  ['webhooks edit', ['HOOK', '--events', '*'], ['id', 'account', 'url', 'events']],
  ['webhooks rotate-secret', ['HOOK'], ['id', 'secret']],
  ['vault rewrap', [], ['cards', 'keys', 'key']],
  ['signing resend', ['UNSIGNED'], ['id', 'recipient', 'url']],
  ['signing new-link', ['UNSIGNED'], ['id', 'recipient', 'url']],
  ['secrets rotate', ['links'], ['purpose', 'no', 'used_from']],
  ['cards import', ['BINS'], ['bins']],
  ['cards erase', ['CARD'], ['id', 'outcome']],
  ['qr import', ['QRS'], ['total', 'created', 'rejected', 'result_file']],
  ['qr export', ['--images', 'FOLDER'], ['images', 'folder']],
  ['migrate-in', ['MOVED', '--confirm'], ['confirmed', 'kinds', 'reconciliation']],
  ['imports upload', ['SHEET'], ['id', 'state', 'matched', 'same_file']],
  ['imports read', ['IMPORT', '--headings', '1'], ['id', 'way']],
  ['imports match', ['IMPORT', '--column', 'external_reference='], ['id', 'matched']],
  ['imports show', ['IMPORT'], ['id', 'faulty', 'existing']],
  ['imports confirm', ['IMPORT'], ['id', 'state']],
  ['imports undo', ['IMPORT'], ['id', 'state']],
  ['imports result', ['IMPORT', '--to', 'RESULT'], ['result_file']],
  ['requests show', ['OWED'], ['id', 'results']],
  ['mandates show', ['SIGNED'], ['id', 'state']],
  ['mails resend', ['--all'], ['queued']],
  ['mails bounces', ['BOUNCES'], ['read', 'noted', 'known', 'other']],
];
/** Commands that return a list: `commands.test.ts` covers the listings, this file the rest. */
const lists: [words: string, args: string[]][] = [
  ['plans set', [testAccount, 'visa', '1,3']],
  ['webhooks deliveries', ['EVENT']],
  ['webhooks resend', ['EVENT']],
  ['rails waiting', []],
  ['rails show', ['FILE']],
  ['debits find', []],
  ['connectors status', []],
  ['connectors alarms', []],
  ['connectors holds', []],
  ['connectors letters', []],
  ['settlements list', []],
  ['settlements owed', []],
  ['payouts proposals', []],
  ['ledger proposals', []],
  ['accounts looks', []],
];
/** Acts whose prerequisites this file does not create, with their expected failures. */
const refusals: [words: string, args: string[], error: string][] = [
  ['payouts approve', ['424242', '--operator', 'OPERATOR'], 'not_found'],
  ['payouts reject', ['424242', '--operator', 'OPERATOR', ...why], 'not_found'],
  ['ledger approve', ['424242', '--operator', 'OPERATOR'], 'not_found'],
  ['ledger reject', ['424242', '--operator', 'OPERATOR', ...why], 'not_found'],
  ['accounts approve-look', [testAccount, '1', '--operator', demo], 'failed'],
  ['accounts reject-look', [testAccount, '1', '--operator', demo, ...why], 'failed'],
  ['rails reject', ['424242', ...why], 'not_found'],
  ['debits show', ['424242'], 'not_found'],
  ['explain', ['424242'], 'not_found'],
  ['imports discard', ['424242'], 'not_found'],
  ['calendar add', ['31-12-9999'], 'conflict'],
  ['calendar add', ['24-12-2006'], 'conflict'],
  ['connectors resume', ['nobody'], 'not_found'],
  ['connectors configure', ['nobody', '--account', testAccount, '--settings', '{}'], 'not_found'],
  ['distribute', ['--experimental'], 'conflict'],
  ['connectors reconcile', ['--day', '01-01-2026'], 'not_found'],
  ['connectors replay', ['1'], 'not_found'],
  ['settlements lines', ['1'], 'not_found'],
  // No store is configured; test/failure/backup.test.ts has one.
  ['backup create', [], 'conflict'],
  ['backup drill', [], 'conflict'],
  ['backup list', [], 'conflict'],
  ['restore', ['--to', 'FOLDER'], 'conflict'],
  ['connectors test', ['http://127.0.0.1:9', '--secret', `whsec_${'A'.repeat(43)}=`], 'failed'],
];
/** Commands that write a JSON document even without --json. */
const documents = ['payers export'];
/** Commands that run until they are stopped. */
const endless = [
  'serve',
  'backup run',
  'webhooks listen',
  'connector payway',
  'connector bank',
  'connector template',
  'mcp',
];

const tree = await commandTree();
const wordsOf = (leaf: (typeof tree.commands)[number]): string => {
  const words = [];
  for (let one: typeof leaf | null = leaf; one?.parent; one = one.parent) words.unshift(one.name());
  return words.join(' ');
};
const leaves = leavesOf(tree);
const isListing = (words: string) =>
  /\b(list|find|corrections)$|^(audit|balances|doctor)$/.test(words);

/** Adds the account if a command requires one. */
const inAccount = (words: string, args: string[]): string[] => {
  const leaf = leaves.find((one) => wordsOf(one) === words);
  const asks = leaf?.options.some((option) => option.long === '--account' && option.mandatory);
  return asks && !args.includes('--account') ? [...account, ...args] : args;
};

test('covers every command with --json, here or among the listings', () => {
  const called = [...acts, ...lists, ...refusals].map(([words]) => words);
  const all = leaves.map(wordsOf).filter((words) => ![...endless, ...documents].includes(words));
  expect(all.filter((words) => !called.includes(words) && !isListing(words))).toEqual([]);
});

describe('--json', () => {
  test.each(acts)('prints one object for %s on stdout and nothing on stderr', async (...act) => {
    const [words, args, members] = act;
    const ran = await run(words, inAccount(words, args));
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const answer = JSON.parse(ran.stdout);
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(members));
    if (words === 'imports upload') made.IMPORT = String(answer.id);
    if (words === 'keys create') made.KEY = String(answer.id);
    if (words === 'payouts create') made.PAYOUT = String(answer.id);
    if (words === 'rails import') made.FILE = String(answer.id);
    if (words === 'payouts run') await access(answer.file);
  });

  test.each(lists)(
    'prints an array for %s on stdout and nothing on stderr',
    async (words, args) => {
      const ran = await run(words, inAccount(words, args));
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(JSON.parse(ran.stdout)).toBeInstanceOf(Array);
    },
  );

  test.each(refusals)(
    'reports the failure of %s in the common format',
    async (words, args, error) => {
      const ran = await run(words, inAccount(words, args));
      expect([ran.code, ran.stdout]).toEqual([1, '']);
      expect(JSON.parse(ran.stderr)).toEqual({
        error,
        // Only refusals have codes.
        ...(error !== 'failed' && { error_code: expect.stringMatching(/^[a-z_.]+$/) }),
        message: expect.stringMatching(/\.$/),
      });
    },
  );
});

/** Returns the act's arguments with another account's id, or null if it names none. */
const foreign = (words: string, args: string[]): string[] | null => {
  const given = inAccount(words, args);
  const leaf = leaves.find((one) => wordsOf(one) === words);
  const optional = leaf?.options.some((option) => option.long === '--account');
  const named = given.includes(testAccount) ? given : optional ? [...given, ...account] : null;
  return named?.map((arg) => (arg === testAccount ? '0000000F' : arg)) ?? null;
};
const nothingNeeded = ['audit', 'balances', 'debits find', 'requests find', 'mandates find'];
const ofAnAccount = [
  ...acts.map(([words, args]) => [words, foreign(words, args)] as const),
  ...lists.map(([words, args]) => [words, foreign(words, args)] as const),
  ...leaves
    .map(wordsOf)
    .filter((words) => isListing(words) && !lists.some(([known]) => known === words))
    .map((words) => {
      const args =
        words === 'plans list' ? [testAccount] : words === 'payers find' ? ['--name', 'x'] : [];
      return [words, foreign(words, args)] as const;
    }),
].flatMap(([words, args]) => (args === null ? [] : [[words, args] as [string, string[]]]));

test('covers more than 35 calls that name an account', () => {
  const words = ofAnAccount.map(([one]) => one);
  expect(words).toEqual(expect.arrayContaining(nothingNeeded));
  expect(words.length).toBeGreaterThan(35);
});

test.concurrent.each(ofAnAccount)(
  'reports account.not_found for an unknown account in %s, and exits 1',
  async (...of) => {
    const ran = await run(...of);
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(JSON.parse(ran.stderr)).toEqual({
      error: 'not_found',
      error_code: 'account.not_found',
      message: 'There is no account with this id.',
    });
  },
);

/** Calls of the commands that parse values, with an empty first parsed argument or option. */
const misread = leaves.flatMap((leaf) => {
  const words = wordsOf(leaf);
  const numbered = leaf.registeredArguments.findIndex(({ parseArg }) => parseArg !== undefined);
  const read = leaf.options.find(({ parseArg }) => parseArg !== undefined);
  const rest = leaf.options.filter((option) => option.mandatory && option !== read);
  const needed = rest.flatMap(({ long }) => [long ?? '', 'x']);
  if (numbered >= 0) {
    const values = leaf.registeredArguments.map((argument, index) =>
      index === numbered ? '' : (argument.argChoices?.[0] ?? 'x'),
    );
    return [[words, [...values, ...needed]] as [string, string[]]];
  }
  if (read === undefined) return [];
  const values = leaf.registeredArguments.map(({ argChoices }) => argChoices?.[0] ?? 'x');
  return [[words, [...values, ...needed, read.long ?? '', '']] as [string, string[]]];
});

test('covers more than 30 commands that parse an argument or option', () =>
  expect(misread.length).toBeGreaterThan(30));

test.each(misread)('exits 2 with a usage error for an empty value: %s', async (...of) => {
  const [words, args] = of;
  const ran = await recaudo([...words.split(' '), ...args, '--json'], {});
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(JSON.parse(ran.stderr)).toEqual({
    error: 'usage',
    message: expect.stringMatching(/ is invalid|not specified/),
  });
});
