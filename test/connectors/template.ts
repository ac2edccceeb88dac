import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serve } from '../../connectors/protocol/serve.ts';
import { template } from '../../connectors/template/connector.ts';
import { startAcquirer } from '../../connectors/template/emulator/emulator.ts';
import { newSecret } from './caller.ts';

/** Opens the template in front of its simulated acquirer. */
export async function openTemplate({ serviceUrl = null }: { serviceUrl?: string | null } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-template-'));
  const acquirer = await startAcquirer({ host: '127.0.0.1', port: 0, key: 'key', reviewMs: 500 });
  const secret = newSecret();
  const config = { acquirerUrl: acquirer.origin, acquirerKey: 'key', isTest: true };
  const options = { host: '127.0.0.1', port: 0, dataDir: folder, secrets: [secret], serviceUrl };
  const served = await serve(template(config), options);
  return {
    origin: served.origin,
    secret,
    waiting: served.notices.waiting,
    stop: async () => {
      await served.stop();
      await acquirer.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
