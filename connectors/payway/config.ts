import {
  type Common,
  isAddress,
  isSwitch,
  readCommon,
  readVariables,
} from '../protocol/environment.ts';
import { type AmexId, isRegional, type RegionalName, regionalNames } from './methods.ts';

export interface PaywayConfig extends Common {
  /** Base URL of the acquirer's API, including `/api/v2`. */
  url: string;
  /** Creates tokens and nothing else; every browser sees it. */
  publicKey: string;
  privateKey: string;
  /** Prefix of each reference, so that two deployments on one site never collide. */
  prefix: string;
  /** The name on the cardholder's statement; null uses the site's. */
  establishment: string | null;
  /** True if the issuer authenticates payers (3-D Secure). */
  authenticates: boolean;
  /** True if the site wants `fraud_detection` with each payment. */
  controlsFraud: boolean;
  /** True if the provider of that fraud control may see the payer's browser. */
  seesDevices: boolean;
  /** The id under which the site accepts American Express. */
  amex: AmexId;
  /** Regional and shop cards that the site accepts. */
  regional: readonly RegionalName[];
  /** Source of the conformance kit's test cards. */
  testCases: 'off' | 'sandbox' | 'emulator';
}

const isPrefix = (value: string): string | null =>
  /^[A-Za-z0-9]{1,6}$/.test(value) ? null : 'be 1 to 6 letters and digits';
const testSetUps = ['off', 'sandbox', 'emulator'] as const;
const isTestSetUp = (value: string): string | null =>
  testSetUps.some((one) => one === value) ? null : `be one of ${testSetUps.join(', ')}`;
const isAmexId = (value: string): string | null =>
  value === '65' || value === '111' ? null : 'be 65 or 111';
const wordsIn = (value: string): string[] => value.split(',').filter((word) => word !== '');
const areRegional = (value: string): string | null =>
  wordsIn(value).every(isRegional) ? null : `name only ${regionalNames.join(', ')}, by commas`;
const isEstablishment = (value: string): string | null =>
  value.length <= 25 ? null : 'have at most 25 characters';

/** Reads the configuration from the environment; throws one error that lists every fault. */
export function readPaywayConfig(env: NodeJS.ProcessEnv): PaywayConfig {
  const variables = readVariables(env);
  const { text, optional } = variables;
  const testSetUp = optional('PAYWAY_TEST_CASES', 'off', isTestSetUp);
  const config: PaywayConfig = {
    ...readCommon(variables, 'payway', 8471),
    url: text('PAYWAY_URL', isAddress).replace(/\/$/, ''),
    publicKey: text('PAYWAY_PUBLIC_KEY'),
    privateKey: text('PAYWAY_PRIVATE_KEY'),
    prefix: text('PAYWAY_PREFIX', isPrefix),
    establishment: optional('PAYWAY_ESTABLISHMENT', '', isEstablishment) || null,
    authenticates: optional('PAYWAY_3DS', 'off', isSwitch) === 'on',
    controlsFraud: optional('PAYWAY_FRAUD_CONTROL', 'off', isSwitch) === 'on',
    seesDevices: optional('PAYWAY_FRAUD_DEVICE', 'off', isSwitch) === 'on',
    amex: optional('PAYWAY_AMEX_ID', '65', isAmexId) === '111' ? 111 : 65,
    regional: wordsIn(optional('PAYWAY_REGIONAL', '', areRegional)).filter(isRegional),
    testCases: testSetUps.find((one) => one === testSetUp) ?? 'off',
  };
  variables.check();
  return config;
}
