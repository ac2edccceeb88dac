import { isPort, readVariables } from '../../protocol/environment.ts';
import { runUntilStopped } from '../../protocol/start.ts';
import { startEmulator } from './emulator.ts';

const isMilliseconds = (value: string): string | null =>
  /^\d{1,7}$/.test(value) ? null : 'be milliseconds, up to 9999999';
const isYesOrNo = (value: string): string | null =>
  value === 'yes' || value === 'no' ? null : 'be `yes` or `no`';

const variables = readVariables(process.env);
const { optional } = variables;
const milliseconds = (name: string, fallback: number): number =>
  Number(optional(name, String(fallback), isMilliseconds));
const options = {
  host: optional('EMULATOR_HOST', '127.0.0.1'),
  port: Number(optional('EMULATOR_PORT', '8472', isPort)),
  dataDir: optional('EMULATOR_DATA_DIR', './data/emulator-payway'),
  publicKey: optional('EMULATOR_PUBLIC_KEY', 'emulator-public-key'),
  privateKey: optional('EMULATOR_PRIVATE_KEY', 'emulator-private-key'),
  timing: {
    slowMs: milliseconds('EMULATOR_SLOW_MS', 30_000),
    hiddenMs: milliseconds('EMULATOR_HIDDEN_MS', 90_000),
    reviewMs: milliseconds('EMULATOR_REVIEW_MS', 10_000),
    authenticateMs: milliseconds('EMULATOR_AUTHENTICATE_MS', 600_000),
  },
  sameDayRefunds: optional('EMULATOR_SAME_DAY_REFUNDS', 'yes', isYesOrNo) === 'yes',
  fraudControl: optional('EMULATOR_FRAUD_CONTROL', 'no', isYesOrNo) === 'yes',
  searchByReference: optional('EMULATOR_SEARCH_BY_REFERENCE', 'yes', isYesOrNo) === 'yes',
};
variables.check();
await runUntilStopped(() => startEmulator(options));
