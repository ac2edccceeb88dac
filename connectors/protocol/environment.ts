import { isIP } from 'node:net';
import { isSecret } from './signature.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables one by one and reports all faults at once. */
export interface Variables {
  text: (name: string, rule?: Rule) => string;
  optional: (name: string, fallback: string, rule?: Rule) => string;
  /** Adds a fault that no single variable has. */
  fault: (text: string) => void;
  /** Throws if any variable was invalid. */
  check: () => void;
}

/** Returns the end of the sentence "NAME must …", or null for a valid value. */
export type Rule = (value: string) => string | null;

export const isAddress: Rule = (value) => {
  const url = URL.parse(value);
  const fits = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '';
  if (!fits) return 'be an address that begins with https://';
  const local = /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || local ? null : 'begin with https://, unless it is loopback';
};
export const isPort: Rule = (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? null : 'be a port, 0 to 65535';
const isHost: Rule = (value) =>
  isIP(value) !== 0 || value === 'localhost' ? null : 'be an address of this machine';
export const isSwitch: Rule = (value) =>
  value === 'on' || value === 'off' ? null : 'be `on` or `off`';
const areSecrets: Rule = (value) =>
  value.split(',').every(isSecret) && value.split(',').length <= 2
    ? null
    : 'be `whsec_` and base64 of 24 to 64 bytes; two, the newest first, while they rotate';
export const areOrigins: Rule = (value) =>
  value.split(',').every((one) => isAddress(one) === null && URL.parse(one)?.origin === one)
    ? null
    : 'be origins such as https://pay.example.com, separated by commas';

export function readVariables(env: Environment): Variables {
  const faults: string[] = [];
  const checked = (name: string, value: string, rule: Rule | undefined): string => {
    const wrong = rule?.(value) ?? null;
    if (wrong !== null) faults.push(`${name} must ${wrong}.`);
    return value;
  };
  return {
    text: (name, rule) => {
      const value = env[name] ?? '';
      if (value === '') faults.push(`${name} must be set.`);
      return value === '' ? '' : checked(name, value, rule);
    },
    optional: (name, fallback, rule) => {
      const value = env[name] ?? '';
      return value === '' ? fallback : checked(name, value, rule);
    },
    fault: (text) => {
      faults.push(text);
    },
    check: () => {
      if (faults.length > 0)
        throw new Error(`The configuration is not valid:\n- ${faults.join('\n- ')}`);
    },
  };
}

export interface Common {
  host: string;
  port: number;
  dataDir: string;
  secrets: string[];
  serviceUrl: string | null;
  /** Public address of the frame; empty for the listening address. */
  publicUrl: string;
  /** Origins whose pages may embed the frame. */
  checkoutOrigins: string[];
}

/** Reads the settings that all our connectors share. */
export function readCommon(variables: Variables, name: string, port: number): Common {
  const { text, optional } = variables;
  const serviceUrl = optional('CONNECTOR_SERVICE_URL', '', isAddress).replace(/\/$/, '');
  const origins = optional(
    'CONNECTOR_CHECKOUT_ORIGINS',
    serviceUrl && (URL.parse(serviceUrl)?.origin ?? ''),
    areOrigins,
  );
  return {
    host: optional('CONNECTOR_HOST', '127.0.0.1', isHost),
    port: Number(optional('CONNECTOR_PORT', String(port), isPort)),
    dataDir: optional('CONNECTOR_DATA_DIR', `./data/connector-${name}`),
    secrets: text('CONNECTOR_SECRET', areSecrets).split(','),
    serviceUrl: serviceUrl || null,
    publicUrl: optional('CONNECTOR_PUBLIC_URL', '', isAddress).replace(/\/$/, ''),
    checkoutOrigins: origins === '' ? [] : origins.split(','),
  };
}
