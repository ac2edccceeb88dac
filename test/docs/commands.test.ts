import { execFile } from 'node:child_process';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { suspend } from '../../src/money/suspense/index.ts';
import { packageRoot } from '../../src/package-root.ts';
import { recaudo } from '../cli/run.ts';
import { adhesionBody, cardAdhesionBody, cbuEndingIn } from '../harness/builders/mandates.ts';
import { batchOf, itemOf } from '../harness/builders/qrs.ts';
import { staticBody } from '../harness/builders/static-qrs.ts';
import { program } from '../harness/built.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService, testAccount, testKey } from '../harness/service.ts';
import { file, rapipagoLines } from '../rails/files.ts';
import { dayIn, playerOf } from '../scenarios/play.ts';
import { type DocumentLine, linesOf } from './lines.ts';
import { movedFiles } from './moved-files.ts';

// A single test runs every line, because later ones depend on earlier ones.
vi.setConfig({ testTimeout: 600_000 });

/** Lines that cannot run from a clean start, with reasons. All other lines must succeed below. */
const cannotRun: Record<string, string> = {
  'npx recaudo mcp': 'runs until its stdin ends; test/cli/mcp.test.ts runs it',
  'npx recaudo init shop': 'writes into this folder; test/cli/init.test.ts runs it',
  'npx recaudo serve': 'the service under test is one',
  'curl -fsSL https://nodejs.org/dist/v26.10.0/node-v26.10.0-linux-x64.tar.xz | tar -xJ --strip-components=1 -C /usr/local':
    'installs Node.js on a new machine',
  'npx recaudo webhooks listen --key <API_KEY> --forward http://127.0.0.1:3000/':
    'runs until it is told to stop; test/cli/webhooks.test.ts runs it',
  'npx recaudo rails reject 1234 --reason "The card cannot be debited."':
    'needs a debit that no file takes; test/rails/one-odd-item.test.ts makes one',
  'npx recaudo payers erase --cuit 20-05536168-2 --reason EX-2026-114 --dry-run':
    'needs a person without mandates; test/events/writing-commands.ts erases one',
  'npx recaudo payers erase --cuit 20-05536168-2 --reason EX-2026-114':
    'needs a person without mandates; test/events/writing-commands.ts erases one',
  'npx recaudo cards erase --account A1B2C3D4 12':
    'needs a canceled card; test/cli/json.test.ts erases one',
  'npx recaudo connector payway': 'runs until it is told to stop; test/connectors runs it',
  'npx recaudo connector bank': 'runs until it is told to stop; test/connectors runs it',
  'npx recaudo connector template': 'runs until it is told to stop; test/connectors runs it',
  'npx recaudo connectors test http://127.0.0.1:8471 --secret whsec_… [--listen 127.0.0.1:8499] \\\n  [--restart COMMAND] [--log FILE] [--json]':
    'says how the command is written; test/cli/json.test.ts runs it',
  'npx recaudo connectors reconcile --day dd-mm-yyyy [--connector payway] [--json]':
    'needs a connector beside it; test/connectors/reconcile.test.ts runs it',
  'npx recaudo connectors test http://127.0.0.1:8471':
    'needs a connector beside it; test/connectors/kit.test.ts tries two',
  'npx recaudo connectors test http://127.0.0.1:8491':
    'needs a connector beside it; test/connectors/bank.test.ts tries it',
  'npx recaudo audit --anchors FILE':
    'needs what was sent out of the database; test/audit/anchors.test.ts reads it',
  'npx recaudo backup drill': 'needs a store; test/failure/backup-store.test.ts runs it',
  'npx recaudo backup list': 'needs a store; test/failure/backup-store.test.ts runs it',
  'npx recaudo distribute': 'needs a cluster; test/cli/distribute.test.ts runs it',
  'npx recaudo distribute --shards 8 --experimental':
    'needs a cluster; test/cli/distribute.test.ts runs it',
};

const pages = await (async () => {
  const docs = path.join(packageRoot(), 'docs');
  const names = await Array.fromAsync(glob('**/*.md', { cwd: docs, exclude: ['site/**'] }));
  const files = [
    path.join(packageRoot(), 'README.md'),
    ...names.filter((name) => name !== 'reference/api.md').map((one) => path.join(docs, one)),
  ];
  return await Promise.all(
    files.map(async (one) =>
      linesOf(path.relative(packageRoot(), one), await readFile(one, 'utf8')),
    ),
  );
})();
const lines = pages.flat();

let service: TestService;
let folder: string;
/** Variables set from earlier answers. */
const shell: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-docs-'));
  // Lines name files without a folder.
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(packageRoot());
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const post = async (url: string, body: object): Promise<Record<string, unknown>> => {
  const { status, body: answer } = await service.call('POST', url, { body });
  if (status > 201) throw new Error(`${url}: ${JSON.stringify(answer)}`);
  return answer;
};

const newest = async (
  table: 'payouts' | 'api_keys' | 'rail_files' | 'imports',
): Promise<string> => {
  const { sql } = service;
  const [row] = await {
    payouts: () => sql<{ id: number }[]>`select id from payouts order by id desc limit 1`,
    api_keys: () => sql<{ id: number }[]>`select id from api_keys order by id desc limit 1`,
    imports: () => sql<{ id: number }[]>`select id from imports order by id desc limit 1`,
    rail_files: () => sql<{ id: number }[]>`select id from rail_files order by id desc limit 1`,
  }[table]();
  if (!row) throw new Error(`nothing in ${table}`);
  return String(row.id);
};

const oddMoney = async (): Promise<string> => {
  const { base } = service.service.parts;
  const now = base.clocks.business.now();
  await suspend(base)([
    {
      reason: 'unknown_request',
      channel: 'non_banking',
      label: 'Rapipago',
      code: '999',
      amount: centavos(12_345),
      paidAt: now,
      source: 'rapipago',
      sourceRef: String(now.epochMilliseconds),
    },
  ]);
  const [row] = await service.sql<
    { id: number }[]
  >`select id from suspense where state = 'open' limit 1`;
  return String(row?.id);
};

/** Requests a refund that the operator transfers; the sandbox's bank decides it. */
async function askedRefund(cbu: string): Promise<string> {
  const id = await playerOf(service).create();
  await post(`/sandbox/pay/${id}`, { channel: 'non_banking' });
  await runCommand(
    `ledger correct --account ${testAccount} --amount 9 --reference r${id} --note n`,
  );
  const asked = await post(`/payment-request/${id}/refund`, { refund: { amount: 1, cbu } });
  return String(asked.id);
}

let paid = '';
const paidRequest = async (): Promise<string> => {
  if (paid === '') {
    paid = String(await playerOf(service).create());
    await post(`/sandbox/pay/${paid}`, {});
  }
  return paid;
};

const files = {
  'sirtac-2026-12.csv':
    'cuit,regime,jurisdiction,rate,valid_from,valid_to\n20329642330,iibb,AR-B,1.50,2026-01-01,\n',
  'bins.csv': 'prefix,kind\n450799,credit\n',
};

/** Placeholders in lines, with their values here. */
const stands: [of: RegExp, text: RegExp, here: (line: string) => Promise<string> | string][] = [
  [/^(curl|npx)/, /http:\/\/127\.0\.0\.1:8360/g, () => service.origin],
  [/^curl/, /rk_test_oGiX6AVWZ_4JKIQcqICnORlpLteDwkcp/g, () => testKey],
  [/^curl/, /<API_KEY>/g, () => testKey],
  [/^curl .*\/payment-request /, /02-12-2026/g, () => dayIn(service, 10)],
  [/^curl .*\/(debit-request|save-qr-data) /, /15-12-2026/g, () => dayIn(service, 12)],
  [/imports (confirm|show)/, / 1 /g, async () => ` ${await newest('imports')} `],
  // Avoids resolving a host name.
  [/^curl .*\/webhook /, /https:\/\/example\.com\//g, () => 'http://127.0.0.1:9/'],
  [/keys (restrict|revoke|rotate)/, / 12\b/g, async () => ` ${await newest('api_keys')}`],
  [/fees set/, /01-12-2026/g, () => dayIn(service, 9)],
  [/fees end/, /01-02-2027/g, () => dayIn(service, 60)],
  [/^npx recaudo collections/, /--request 123/g, async () => `--request ${await paidRequest()}`],
  [/payouts return/, / 345/g, async () => ` ${await newest('payouts')}`],
  [/rails export/, /\/srv\/(pmc|debits)/g, () => folder],
  [/rails show/, / (4001|ID)\b/g, async () => ` ${await newest('rail_files')}`],
  [/refunds done/, / 12 /g, async () => ` ${await askedRefund('0170099220000067797370')} `],
  [/refunds fail/, / 12 /g, async () => ` ${await askedRefund(cbuEndingIn('9902'))} `],
  [/suspense assign/, / 678/g, async () => ` ${await oddMoney()}`],
  [
    /suspense assign/,
    /--request 123/g,
    async () => `--request ${await playerOf(service).create()}`,
  ],
  [/suspense return/, / 679/g, async () => ` ${await oddMoney()}`],
  [
    /signing/,
    / 12 /g,
    async (line) => {
      const nosign = { email: 'ana+nosign@example.com' };
      const made = line.includes('card_adhesion')
        ? await post('/card-adhesion', cardAdhesionBody(nosign))
        : await post('/adhesion', adhesionBody(nosign));
      return ` ${made.id} `;
    },
  ],
];

/**
 * Events that readers cause before a line, such as a payment in a browser or a file from a bank.
 */
const before: [of: RegExp, make: () => Promise<unknown>][] = [
  [/payment-request\/1 /, () => post('/sandbox/pay/1', { channel: 'credit_card' })],
  [
    /migrate-in/,
    () =>
      Promise.all(
        Object.entries(movedFiles(dayIn(service, 30))).map(([name, text]) => write(name, text)),
      ),
  ],
  [/register import/, () => write('sirtac-2026-12.csv', files['sirtac-2026-12.csv'])],
  [/cards import/, () => write('bins.csv', files['bins.csv'])],
  [
    /payouts create/,
    () => runCommand(`ledger correct --account ${testAccount} --amount 90 --reference d --note n`),
  ],
  [
    /rails import rapipago/,
    () => {
      const day = dayIn(service, 0).split('-').toReversed().join('');
      const payments = [{ code: '999', amount: 250, paidOn: day }];
      return write('20261201.txt', file(rapipagoLines(day, payments)));
    },
  ],
  [
    /new-transaction/,
    async () => {
      const made = await post('/create-qr', staticBody({ qr_type: 'static_closed_amount' }));
      const { body } = await service.call('GET', `/status-static/${made.qr_id ?? made.id}`);
      shell.QR_STRING = String(body.qr_string ?? made.qr_string);
    },
  ],
  [/-T qrs\.json/, () => write('qrs.json', JSON.stringify(batchOf([itemOf(service, 'docs-1')])))],
  [
    /imports upload socios/,
    () => {
      const row = `Cuota,${dayIn(service, 12)},12500.50`;
      const head = 'payer_name,description,first_due_date,first_total';
      return write('socios.csv', `${head}\nAna,${row}\nBruno,${row}\n`);
    },
  ],
  // Workers create the requests of an import a moment after it is confirmed.
  [
    /requests find --account A1B2C3D4 --state pending/,
    () =>
      vi.waitFor(async () => {
        const [bruno, ana] = await service.sql<{ id: number }[]>`
          select id from requests
          where kind = 'payment_request' and description = 'Cuota' order by id desc limit 2`;
        if (!ana || !bruno) throw new Error('not created yet');
        Object.assign(shell, { ANA: ana.id, BRUNO: bruno.id });
      }, 20_000),
  ],
  [
    /qr import cuotas/,
    () =>
      write(
        'cuotas.csv',
        `id,city,multiple_payment,description,first_total,first_due_date,payer_name\nq1,Rosario,false,Cuota,100.50,${dayIn(service, 9)},Ana\n`,
      ),
  ],
];

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);

/** The environment of a reader's shell. */
const environment = (): Record<string, string> => ({
  DATABASE_URL: service.databaseUrl,
  DATA_DIR: folder,
  VAULT_KEYS: testVaultKeys,
  ORIGIN: service.origin,
  KEY: testKey,
  ...shell,
});

// Without --norc, bash may take a standard input that another program opened to be a network
// connection, and read ~/.bashrc.
async function bash(command: string): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...environment() };
  return (await promisify(execFile)('bash', ['--norc', '-c', command], { env })).stdout;
}

/** Runs a command in this process, with the words that bash reads in it. */
async function runCommand(words: string): Promise<string> {
  const args = (await bash(`printf '%s\\0' ${words}`)).split('\0').slice(0, -1);
  const { code, stdout, stderr } = await recaudo(args, environment());
  if (code !== 0) throw new Error(`exit status ${code}: ${stdout}${stderr}`);
  return stdout;
}

async function runShell({ page }: DocumentLine, line: string): Promise<string> {
  if (line.startsWith('curl ')) return await bash(line.replace('curl', 'curl --fail-with-body'));
  const words = line.replace('npx recaudo ', '');
  // Lines of the README, and lines that need a shell, run unchanged.
  return page === 'README.md' || /[|&;<>()$`]/.test(words)
    ? await bash(`"${process.execPath}" "${program}" ${words}`)
    : await runCommand(words);
}

/** Stores a line's output for later lines. */
function keep(line: string, stdout: string): void {
  const answer = /^curl/.test(line) ? JSON.parse(stdout || 'null') : null;
  if (/bucket-url/.test(line)) Object.assign(shell, { ID: answer.id, URL: answer.url });
  for (const [known, name] of named) if (known.test(line)) shell[name] = String(answer.id);
  if (/save-qr-data/.test(line)) shell.QR = `${testAccount}-CUOTA-17`;
  if (/\/status\//.test(line)) shell.QR_STRING = answer.qr_string;
}

/** Variables of the tutorials, set to the id of an answer. */
const named = [
  [/\/payment-request /, 'REQUEST'],
  [/\/adhesion /, 'MANDATE'],
  [/\/debit-request /, 'DEBIT'],
] as const;

async function runLine(of: DocumentLine): Promise<void> {
  const { text } = of;
  for (const [known, make] of before) if (known.test(text)) await make();
  let line = text;
  for (const [known, stood, here] of stands) {
    if (!known.test(text) || line.search(stood) < 0) continue;
    const now = await here(text);
    line = line.replaceAll(stood, () => now);
  }
  keep(text, await runShell(of, line));
}

test('finds lines to run in the pages, and has no unused exception', () => {
  expect(lines.length).toBeGreaterThan(60);
  const texts = lines.map(({ text }) => text);
  expect(Object.keys(cannotRun).filter((text) => !texts.includes(text))).toEqual([]);
});

test('has only commands in the README’s blocks to paste', async () => {
  const text = await readFile(path.join(packageRoot(), 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)].flatMap(
    ([, language, block = '']) => (language === '' ? [block] : []),
  );
  const pasted = blocks.filter((block) => /^(npm|npx|curl) /.test(block));
  expect(pasted.length).toBeGreaterThan(4);
  const lines = pasted.flatMap((block) => block.split('\n'));
  expect(lines.filter((line) => !/^(npm|npx|curl) /.test(line))).toEqual([]);
  // The key differs in each installation and is exported once.
  expect(pasted.join('\n')).not.toContain('rk_test_');
});

test('runs every command and curl line of README and docs unchanged, in order', async () => {
  const failed: string[] = [];
  for (const line of lines) {
    if (Object.hasOwn(cannotRun, line.text)) continue;
    await runLine(line).catch((error: { message?: string; stdout?: string }) => {
      failed.push(`${line.page}:${line.at} ${line.text}\n${error.message} ${error.stdout ?? ''}`);
    });
  }
  expect(failed).toEqual([]);
});
