import { serve } from '../protocol/serve.ts';
import { logLine, runUntilStopped } from '../protocol/start.ts';
import { readBankConfig } from './config.ts';
import { bank } from './connector.ts';

/** Runs the connector configured by the environment until a signal stops it. */
export async function startBankConnector(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readBankConfig(env);
  await runUntilStopped(() => serve(bank(config), { ...config, log: logLine }));
}
