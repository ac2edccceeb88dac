import { readFileSync } from 'node:fs';
import { type Common, isAddress, readCommon, readVariables } from '../protocol/environment.ts';

export interface BankConfig extends Common {
  /** Base URL of the bank's API, including `/v1`. */
  url: string;
  username: string;
  password: string;
  /** The operator's collecting account. */
  account: string;
  /** Prefix of our order ids at the bank. */
  prefix: string;
  /** Leading digits of the bank's client numbers; each request gets a CVU as a separate client. */
  clients: string;
  /** Secret in the webhook address, since the bank does not sign its notices. */
  noticeSecret: string;
  /** Client certificate (PEM), which the bank requires in production. */
  tls: { cert: string; key: string } | null;
  /** Polling interval of the lists, to find missed notices. */
  listEveryMs: number;
  isTest: boolean;
}

const isPrefix = (value: string): string | null =>
  /^[A-Za-z0-9]{1,6}$/.test(value) ? null : 'be 1 to 6 letters and digits';
const isLong = (value: string): string | null =>
  /^[A-Za-z0-9_-]{32,128}$/.test(value) ? null : 'be 32 to 128 letters, digits, dashes';
const isDigits = (value: string): string | null =>
  /^[1-9]\d{0,3}$/.test(value) ? null : 'be 1 to 4 digits that do not begin with 0';
const isSeconds = (value: string): string | null =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 ? null : 'be seconds, 1 to 99999';
const isYesOrNo = (value: string): string | null =>
  value === 'yes' || value === 'no' ? null : 'be `yes` or `no`';
const isFile = (value: string): string | null => {
  try {
    readFileSync(value);
    return null;
  } catch {
    return 'be a file that can be read';
  }
};

/** Reads the configuration from the environment; throws one error that lists every fault. */
export function readBankConfig(env: NodeJS.ProcessEnv): BankConfig {
  const variables = readVariables(env);
  const { text, optional, fault } = variables;
  const cert = optional('BANK_CERT_FILE', '', isFile);
  const key = optional('BANK_KEY_FILE', '', isFile);
  if ((cert === '') !== (key === '')) {
    fault('BANK_CERT_FILE and BANK_KEY_FILE must be set together.');
  }
  const config = {
    ...readCommon(variables, 'bank', 8491),
    url: text('BANK_URL', isAddress).replace(/\/$/, ''),
    username: text('BANK_USERNAME'),
    password: text('BANK_PASSWORD'),
    account: text('BANK_ACCOUNT'),
    prefix: text('BANK_PREFIX', isPrefix),
    clients: optional('BANK_CVU_CLIENTS', '', isDigits),
    noticeSecret: text('BANK_NOTICE_SECRET', isLong),
    listEveryMs: 1000 * Number(optional('BANK_LIST_EVERY_S', '300', isSeconds)),
    isTest: optional('BANK_TEST', 'no', isYesOrNo) === 'yes',
  };
  variables.check();
  const tls =
    cert && key ? { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } : null;
  return { ...config, tls };
}
