import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { serverPid, temporaryDirectory } from '../platform/postgres/embedded-tools.ts';

// Only Linux exposes the environment of a process as a file.
test.runIf(process.platform === 'linux')(
  'keeps our secrets out of the environment of the embedded server',
  async () => {
    const directory = await temporaryDirectory();
    const dataDir = path.join(directory.path, 'data');
    const secrets = {
      VAULT_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      SMTP_URL: 'smtps://user:hunter2@mail.example.com',
      SANDBOX_API_KEY: 'a-key-that-nobody-may-read',
      AWS_SECRET_ACCESS_KEY: 'of the machine',
    };
    const before = { ...process.env };
    Object.assign(process.env, secrets);
    try {
      const embedded = await openEmbedded({ dataDir, log: () => {} });
      const pid = serverPid(dataDir);
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      await embedded.close();
      expect(environment).toContain('LC_ALL=C');
      for (const [name, value] of Object.entries(secrets)) {
        expect(environment).not.toContain(name);
        expect(environment).not.toContain(value);
      }
    } finally {
      for (const name of Object.keys(secrets)) delete process.env[name];
      Object.assign(process.env, before);
      await directory.remove();
    }
  },
);
