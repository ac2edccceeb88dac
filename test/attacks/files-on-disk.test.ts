import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderTransport } from '../../src/platform/mail/transport.ts';

let folder: string;
let umask: number;

beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'recaudo-files-')), 'mail');
  umask = process.umask(0);
});
afterEach(async () => {
  process.umask(umask);
  await rm(path.dirname(folder), { recursive: true, force: true });
});

const letter = {
  recipient: 'ana@example.com',
  subject: 'Autorizá el débito',
  body: 'https://pagos.example/sign/adhesion/…',
  messageId: '<A1B2C3D4.7@pagos.example>',
};
const modeOf = async (file: string): Promise<string> =>
  ((await stat(file)).mode & 0o777).toString(8);

test('hides e-mails from other users of the machine, even with a umask of 0', async () => {
  const send = await folderTransport(folder, 'Recaudo <no-reply@pagos.example>');
  await send(letter);
  const [file = '', ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(await modeOf(folder)).toBe('700');
  expect(await modeOf(path.join(folder, file))).toBe('600');
});

test('tightens the permissions of existing folders and e-mails at start', async () => {
  await mkdir(folder);
  await chmod(folder, 0o777);
  const old = path.join(folder, 'old.eml');
  await writeFile(old, 'a link', { mode: 0o666 });
  const half = path.join(folder, 'A1B2C3D4.7@pagos.example.eml.part');
  await writeFile(half, 'half a letter', { mode: 0o666 });
  const send = await folderTransport(folder, 'Recaudo <no-reply@pagos.example>');
  expect(await modeOf(folder)).toBe('700');
  expect(await modeOf(old)).toBe('600');
  // A leftover of a crash is overwritten, and becomes as private as a new file.
  await chmod(half, 0o666);
  await send(letter);
  const files = await readdir(folder);
  expect(files).toHaveLength(2);
  for (const file of files) expect(await modeOf(path.join(folder, file))).toBe('600');
});
