import { serve } from '../protocol/serve.ts';
import { logLine, runUntilStopped } from '../protocol/start.ts';
import { readPaywayConfig } from './config.ts';
import { payway } from './connector.ts';

/** Runs the connector configured by the environment until a signal stops it. */
export async function startPayway(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readPaywayConfig(env);
  await runUntilStopped(() => serve(payway(config), { ...config, log: logLine }));
}
