import { isPort, readVariables } from '../../protocol/environment.ts';
import { runUntilStopped } from '../../protocol/start.ts';
import { startAcquirer } from './emulator.ts';

const variables = readVariables(process.env);
const options = {
  host: '127.0.0.1',
  port: Number(variables.optional('EMULATOR_PORT', '8482', isPort)),
  key: variables.optional('EMULATOR_KEY', 'template-key'),
  reviewMs: 2_000,
};
variables.check();
await runUntilStopped(() => startAcquirer(options));
