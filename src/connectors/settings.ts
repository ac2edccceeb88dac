import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import {
  type ConnectorChannel,
  cardBrandNames,
  connectorChannels,
} from '../../connectors/protocol/names.ts';
import { isSecret } from '../../connectors/protocol/signature.ts';
import { withoutSlashes } from '../kernel/text.ts';
import type { Channels } from '../money/channels/index.ts';

export type ConnectorBrand = (typeof cardBrandNames)[number];

/** A connector in the operator's configuration. */
export interface ConnectorSettings {
  /** Name in addresses, logs and records. Never reuse it for another connector. */
  name: string;
  /** Address without a trailing slash. */
  url: string;
  /** One secret, or two during a rotation. The first signs, both verify. */
  secrets: readonly string[];
  /** Channels to use, among those of its manifest. */
  channels: readonly ConnectorChannel[];
  /** Card brands routed to it. Null routes all that it accepts. */
  brands: readonly ConnectorBrand[] | null;
  /** Order among connectors of a channel: the lowest comes first, then the order of the list. */
  preference: number;
  /** Maximum number of concurrent orders (PUT) per process. */
  callsAtOnce: number;
  /** Maximum age of reported money, in days. */
  oldestDays: number;
}

const mostConnectors = 20;
const mostFileBytes = 256 * 1024;
const namePattern = /^[a-z][a-z0-9-]{0,30}$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isLoopback = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
};

function urlFault(text: unknown): string | null {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return 'must be an address that begins with https://';
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password';
  if (url.search !== '' || url.hash !== '') return 'must hold no query or fragment';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'must begin with https://, unless it is on this machine (127.0.0.1, ::1, localhost)';
  }
  return null;
}

/** Parses a list of known words, each once. Returns null if malformed. */
function wordsIn<Word extends string>(value: unknown, known: readonly Word[]): Word[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const words = known.filter((word) => value.includes(word));
  return words.length === value.length ? words : null;
}

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** Default of `oldest_days`. */
const usualDays = 30;

const members = [
  'name',
  'url',
  'secrets',
  'channels',
  'brands',
  'preference',
  'calls_at_once',
  'oldest_days',
] as const;

function faultsOf(one: Record<string, unknown>): string[] {
  const { name, secrets, channels, brands, preference = 0, calls_at_once: calls = 256 } = one;
  const { oldest_days: days = usualDays } = one;
  const address = urlFault(one.url);
  const unknown = Object.keys(one).filter((key) => !members.some((member) => member === key));
  const soundSecrets =
    Array.isArray(secrets) &&
    (secrets.length === 1 || secrets.length === 2) &&
    new Set(secrets).size === secrets.length &&
    secrets.every((secret) => typeof secret === 'string' && isSecret(secret));
  const found: [boolean, string][] = [
    [
      typeof name === 'string' && namePattern.test(name),
      'name must be up to 31 lower-case letters, digits and dashes, beginning with a letter',
    ],
    [address === null, `url ${address}`],
    [soundSecrets, 'secrets must be a list of 1 or 2 secrets, whsec_ and base64 of 24 to 64 bytes'],
    [
      wordsIn(channels, connectorChannels) !== null,
      `channels must be a list of ${connectorChannels.join(', ')}, each once`,
    ],
    [
      brands === undefined || wordsIn(brands, cardBrandNames) !== null,
      `brands must be a list of ${cardBrandNames.join(', ')}, each once`,
    ],
    [
      brands === undefined || takesCards(wordsIn(channels, connectorChannels) ?? ['credit_card']),
      'brands are of cards: channels must hold credit_card or debit_card',
    ],
    [isWhole(preference, 0, 1000), 'preference must be a whole number from 0 to 1000'],
    [isWhole(calls, 1, 1000), 'calls_at_once must be a whole number from 1 to 1000'],
    [isWhole(days, 1, 365), 'oldest_days must be a whole number from 1 to 365'],
    [unknown.length === 0, `may hold ${members.join(', ')} alone, and holds ${unknown.join(', ')}`],
  ];
  return found.filter(([sound]) => !sound).map(([, sentence]) => sentence);
}

function settingsOf(one: Record<string, unknown>): ConnectorSettings {
  const { name, url, secrets, preference = 0, calls_at_once: calls = 256 } = one;
  return {
    name: String(name),
    url: withoutSlashes(String(url)),
    secrets: Array.isArray(secrets) ? secrets.map(String) : [],
    channels: wordsIn(one.channels, connectorChannels) ?? [],
    brands: wordsIn(one.brands, cardBrandNames),
    preference: Number(preference),
    callsAtOnce: Number(calls),
    oldestDays: Number(one.oldest_days ?? usualDays),
  };
}

const takesCards = (channels: readonly string[]): boolean =>
  channels.some((code) => code === 'credit_card' || code === 'debit_card');

/**
 * Finds duplicate names, and secrets that two connectors share, because their notices could not be
 * attributed.
 */
function faultsTogether(list: readonly ConnectorSettings[]): string[] {
  const repeated = (values: string[]) => new Set(values).size < values.length;
  return [
    ...(repeated(list.map(({ name }) => name)) ? ['each name must be unique'] : []),
    ...(repeated(list.flatMap(({ secrets }) => secrets))
      ? ['each secret must be of one connector']
      : []),
  ];
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fileIn(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > mostFileBytes ? null : text;
  } catch {
    return null;
  }
}

/**
 * Reads the connectors of a deployment: a JSON list, or the path of a file with one. Reports every
 * fault at once, but never a value, which may be a secret.
 */
export function readConnectors(
  text: string,
): { value: readonly ConnectorSettings[] } | { fault: string } {
  const json = text.trimStart().startsWith('[') ? text : fileIn(text.trim());
  if (json === null) {
    return { fault: 'must be a JSON list, or the path of a file of up to 256 KiB that holds one' };
  }
  const list = listIn(json);
  if (!Array.isArray(list) || list.length > mostConnectors) {
    return { fault: `must be a JSON list of up to ${mostConnectors} connectors` };
  }
  const faults = list.flatMap((one, index) =>
    (isObject(one) ? faultsOf(one) : ['must be an object']).map((fault) => `[${index}] ${fault}`),
  );
  const value = list.filter(isObject).map(settingsOf);
  const all = faults.length > 0 ? faults : faultsTogether(value);
  return all.length > 0 ? { fault: `must be mended: ${all.join('; ')}` } : { value };
}

/** Returns a configuration's channels, for processes that make no charges. */
export const configuredChannels = (settings: readonly ConnectorSettings[]): Channels => ({
  codes: new Set(settings.flatMap(({ channels }) => channels)),
  choose: () => null,
  named: () => null,
});
