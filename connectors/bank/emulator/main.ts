import { isPort, readVariables } from '../../protocol/environment.ts';
import { runUntilStopped } from '../../protocol/start.ts';
import { startBank } from './emulator.ts';

const variables = readVariables(process.env);
const { optional } = variables;
const options = {
  host: '127.0.0.1',
  port: Number(optional('EMULATOR_PORT', '8492', isPort)),
  dataDir: optional('EMULATOR_DATA_DIR', './data/emulator-bank'),
  username: optional('EMULATOR_USERNAME', 'emulator'),
  password: optional('EMULATOR_PASSWORD', 'emulator-password'),
  account: optional('EMULATOR_ACCOUNT', '20-1-1'),
  payerMs: 3_000,
};
variables.check();
await runUntilStopped(() => startBank(options));
