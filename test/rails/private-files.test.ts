import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  link,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEnvelope } from '../../src/platform/envelope.ts';
import { isPart } from '../../src/rails/index.ts';
import { recaudo } from '../cli/run.ts';
import { type DebitOffice, openDebitOffice } from '../harness/builders/debit-office.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

// Commands and OpenSSL are processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const visa = '4507990000004905';
const debitVisa = '4517721004856075';
const mastercard = '5299910010000015';

let service: TestService;
let office: DebitOffice;
let umask: number;
beforeAll(async () => {
  umask = process.umask(0);
  service = await startService(withoutWorker);
  office = await openDebitOffice(service);
});
afterAll(async () => {
  process.umask(umask);
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

const modeOf = async (file: string): Promise<string> =>
  ((await stat(file)).mode & 0o777).toString(8);

const cards = { debliqc: visa, debliqd: debitVisa, deblimc: mastercard } as const;

/** Creates debits that wait for a file: one per card, or on a bank account for null. */
async function waiting(...numbers: (string | null)[]): Promise<void> {
  for (const number of numbers) {
    if (number === null) await office.debit(await signedAdhesion(service));
    else await office.cardDebit(await signedCardAdhesion(service, { card_number: number }));
  }
  await office.handOver();
}

async function exported(rail: string, over: Parameters<DebitOffice['export']>[1] = {}) {
  const { files } = await office.export(rail, over);
  const [only, ...others] = files;
  if (!only || others.length > 0) throw new Error(`${files.length} files of ${rail}`);
  return only.path;
}

const partsIn = async (folder: string): Promise<string[]> => (await readdir(folder)).filter(isPart);

test('hides files of debits from other users of the machine, whatever the umask', async () => {
  await waiting(null);
  const bank = await exported('direct-debit-350');
  await waiting(...Object.values(cards));
  const files = await Promise.all(Object.keys(cards).map((rail) => exported(rail)));
  files.push(bank);
  for (const file of files) expect(await modeOf(file), file).toBe('600');
  expect(await readFile(files[0] ?? '', 'latin1')).toContain(visa);

  // Another link and open permissions simulate a foreign reader; a rewrite must create a new file.
  const [file = ''] = files;
  await chmod(file, 0o666);
  const other = `${file}.other-name`;
  await link(file, other);
  await exported('debliqc');
  expect([await modeOf(file), await modeOf(other)]).toEqual(['600', '666']);
  expect((await stat(file)).nlink).toBe(1);
  await rm(other);
  process.umask(0o377);
  try {
    expect(await modeOf(await exported('debliqd'))).toBe('600');
  } finally {
    process.umask(0);
  }
});

function opensslVersion(): string | null {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8' });
  } catch {
    return null;
  }
}
const openssl = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('openssl', args, { encoding: 'latin1' })).stdout;

const isThere = opensslVersion() !== null;
if (!isThere) process.stderr.write('openssl is not there: encrypted files are not read back\n');

/** Creates a key and its certificate, in files. */
async function certificateOf(name: string, ...algorithm: string[]) {
  const [key, certificate] = ['key', 'cert'].map((what) =>
    path.join(office.folder, `${name}.${what}.pem`),
  ) as [string, string];
  const subject = ['-subj', '/O=Banco de Prueba/CN=debitos', '-days', '30'];
  const files = ['-keyout', key, '-out', certificate];
  await openssl('req', '-x509', '-nodes', '-newkey', ...algorithm, ...subject, ...files);
  return { key, certificate };
}

describe.skipIf(!isThere)('a file encrypted for a certificate', () => {
  test.each([
    ['RSA', ['rsa:2048']],
    ['EC', ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']],
  ])(
    'encrypts a file for an %s certificate that OpenSSL opens with its key, and with no other',
    async (name, algorithm) => {
      await waiting(visa);
      const { key, certificate } = await certificateOf(name, ...algorithm);
      const envelope = await createEnvelope(certificate, service.service.parts.clocks.wall.now());
      expect(envelope.subject).toContain('Banco de Prueba');
      const { files } = await office.export('debliqc', { envelope, another: true });
      const sealed = files.at(-1)?.path ?? '';
      expect([path.extname(sealed), await modeOf(sealed)]).toEqual(['.cms', '600']);
      const bytes = await readFile(sealed);
      expect(bytes.includes(visa)).toBe(false);
      expect(bytes.includes('DEBLIQC')).toBe(false);

      const decrypt = (recipient: { key: string; certificate: string }) =>
        openssl(
          ...['cms', '-decrypt', '-binary', '-inform', 'DER', '-in', sealed],
          ...['-recip', recipient.certificate, '-inkey', recipient.key],
        );
      const text = await decrypt({ key, certificate });
      expect(text).toContain(visa);
      const clear = (await office.export('debliqc')).files.at(-1)?.path ?? '';
      expect(text).toBe(await readFile(clear, 'latin1'));
      const stranger = await certificateOf(`${name}-other`, ...algorithm);
      await expect(decrypt(stranger)).rejects.toThrow('openssl');
      await expect(decrypt({ ...stranger, certificate })).rejects.toThrow('openssl');
    },
  );

  test('writes an encrypted file by command, and refuses an expired certificate or another file', async () => {
    await waiting(visa);
    const { certificate, key } = await certificateOf('command', 'rsa:2048');
    const run = (file: string) =>
      recaudo(
        ['rails', 'export', 'debliqc', '--another', '--out', office.folder, '--encrypt-to', file],
        { DATABASE_URL: service.databaseUrl, VISA_ESTABLISHMENT: '0000000515' },
      );
    const refused = await run(key);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('is not an X.509 certificate in PEM or DER');
    const later = service.service.parts.clocks.wall.now().add({ hours: 24 * 31 });
    await expect(createEnvelope(certificate, later)).rejects.toThrow('is valid only from');
    const done = await run(certificate);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/\.cms\n1 debits, [\d.]+\nencrypted for .*Banco de Prueba/);
  });
});

const program = path.join(import.meta.dirname, '../../bin/recaudo.js');

/**
 * Kills an export after writing its file and before recording it. Returns the name of the leftover.
 */
async function killedExport(folder: string): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  let left: string[] = [];
  await service.sql.begin(async (tx) => {
    // The lock keeps the export from recording its file.
    await tx`lock table rail_files in share mode`;
    const args = ['rails', 'export', 'debliqc', '--another', '--out', folder];
    const child = spawn(
      'sh',
      ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, program, ...args],
      {
        env: {
          ...{ PATH, HOME, DATABASE_URL: service.databaseUrl, VAULT_KEYS: testVaultKeys },
          VISA_ESTABLISHMENT: '0000000515',
        },
        stdio: 'ignore',
      },
    );
    const closed = once(child, 'close');
    await vi.waitFor(
      async () => {
        left = await partsIn(folder);
        expect((await readFile(path.join(folder, left[0] ?? ''), 'latin1')).length).toBeGreaterThan(
          300,
        );
      },
      { timeout: 60_000, interval: 20 },
    );
    child.kill('SIGKILL');
    expect((await closed)[1]).toBe('SIGKILL');
  });
  expect(left).toHaveLength(1);
  return path.join(folder, left[0] ?? '');
}

describe('an export that crashes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'recaudo-parts-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('leaves a private partial file, removes it in the next export, and exports each debit once', async () => {
    await office.export('debliqc', { another: true });
    await waiting(visa);
    const part = await killedExport(folder);
    expect(await modeOf(part)).toBe('600');
    expect(await readFile(part, 'latin1')).toContain(visa);

    const victim = path.join(folder, 'victim.txt');
    await writeFile(victim, 'of somebody else');
    await symlink(victim, path.join(folder, 'debliqd-7.part'));
    const foreign = ['debliqc.part', 'debliqc-x.part', 'notes-7.part', 'debliqc-7.part.txt'];
    for (const name of foreign) await writeFile(path.join(folder, name), 'kept');
    const env = { DATABASE_URL: service.databaseUrl, VISA_ESTABLISHMENT: '0000000515' };
    const args = ['rails', 'export', 'debliqc', '--another', '--out', folder];
    const next = await recaudo(args, env);
    expect([next.code, next.stdout]).toEqual([0, expect.stringMatching(/\n1 debits, /)]);
    const names = (await readdir(folder)).toSorted();
    const written = path.basename(next.stdout.split('\n')[0] ?? '');
    expect(names).toEqual([...foreign, 'victim.txt', written].toSorted());
    expect(await readFile(victim, 'utf8')).toBe('of somebody else');
    const nothing = await recaudo(args, env);
    expect(nothing.stdout).toContain('no debit is waiting');
  });

  test('shreds the partial file that a crash left, and refuses foreign files', async () => {
    await waiting(visa);
    const part = await killedExport(folder);
    const shred = (...files: string[]) =>
      recaudo(['rails', 'shred', ...files], { DATABASE_URL: service.databaseUrl });
    const before = await readdir(folder);
    const gone = await shred(part);
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining('interrupted')]);
    expect(await readdir(folder)).toEqual(before.filter((name) => name !== path.basename(part)));

    const target = await exported('debliqc');
    const other = `${target}.other-name`;
    await link(target, other);
    const twice = await shred(target);
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('another name')]);
    await rm(other);
    const shown = await shred(target);
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    await expect(stat(target)).rejects.toThrow('ENOENT');

    const foreign = path.join(folder, 'notes-7.part');
    const linked = path.join(folder, 'debliqc-8.part');
    await symlink(foreign, linked);
    for (const [name, reason] of [
      [foreign, 'is not a file that was exported or imported here'],
      [linked, 'or it is a link'],
      [path.join(folder, 'debliqc-9.part'), 'There is no file'],
      [folder, 'There is no file'],
    ] as const) {
      const refused = await shred(name);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(reason);
    }
    expect(await readFile(foreign, 'utf8')).toBe('kept');
  });
});
