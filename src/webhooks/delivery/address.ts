import { BlockList, isIP } from 'node:net';
import type { LocalizedText } from '../../language/localized-text.ts';
import { TooMany } from '../../platform/errors.ts';
import { createFairSlots } from '../../platform/slots.ts';
import { fault, tooMany } from '../codes.ts';
import type { Reach, Resolver } from './resolve.ts';

type AddressFault =
  | 'no_url'
  | 'not_https'
  | 'not_http'
  | 'credentials'
  | 'fragment'
  | 'port'
  | 'not_public'
  | 'unknown_host';

/** Prevents webhooks from reaching the operator's own network. */
export interface Guard {
  /**
   * Returns why an address may not be registered, or null. Look-ups for an account's calls wait for
   * a slot of the account. Throws 429 if too many wait.
   */
  fault(url: string, accountId?: string): Promise<LocalizedText | null>;
  /** Returns a fault that needs no look-up, or null. Every attempt checks it. */
  shapeFault(url: URL): string | null;
  /** Returns a host's addresses. Throws `Forbidden` if webhooks may not reach one of them. */
  addresses(host: string): Promise<string[]>;
}

/** A host name resolves to a forbidden network. */
export class Forbidden extends Error {}

// IANA's special-purpose registries, and addresses that clouds reserve. One of them, 168.63.129.16,
// reaches the host of every machine.
const closedIPv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

// In IPv6 only global unicast is public, except protocol assignments (Teredo, ORCHID),
// documentation, and 6to4, whose addresses embed any IPv4 address.
const openIPv6 = [['2000::', 3]] as const;
const closedIPv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

function listOf(
  subnets: readonly (readonly [string, number])[],
  family: 'ipv4' | 'ipv6',
): BlockList {
  const list = new BlockList();
  for (const [network, bits] of subnets) list.addSubnet(network, bits, family);
  return list;
}

const closed4 = listOf(closedIPv4, 'ipv4');
const closed6 = listOf(closedIPv6, 'ipv6');
const open6 = listOf(openIPv6, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed4.check(address, 'ipv4');
  return family === 6 && open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

/** Removes the brackets of an IPv6 host. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

const firstFreePort = 1024;

/** Concurrent look-ups of names that accounts register, because a name server may never answer. */
const lookUpTerms = { most: 64, each: 4, queued: 20, patienceMs: 5_000 };

const shapeFaultOf = (url: URL, production: boolean): AddressFault | null => {
  if (url.protocol !== 'https:' && (production || url.protocol !== 'http:')) {
    return production ? 'not_https' : 'not_http';
  }
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.hash !== '') return 'fragment';
  // Ports below 1024 belong to system services, such as mail and shells.
  return production && url.port !== '' && Number(url.port) < firstFreePort ? 'port' : null;
};

const texts: Readonly<Record<AddressFault, (text: string, production: boolean) => LocalizedText>> =
  {
    no_url: () => fault('webhook.url_malformed', {}),
    not_https: () => fault('webhook.url_not_https', {}),
    not_http: () => fault('webhook.url_not_http', {}),
    credentials: () => fault('webhook.url_credentials', {}),
    fragment: () => fault('webhook.url_fragment', {}),
    port: () => fault('webhook.url_port', { first: firstFreePort }),
    not_public: (_text, production) =>
      fault('webhook.url_not_public', { sandbox: production ? 'no' : 'yes' }),
    unknown_host: (text) =>
      fault('webhook.url_unknown_host', { host: URL.parse(text)?.hostname ?? '' }),
  };

const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));

const isWithin = (reach: Reach, address: string): boolean =>
  reach === 'any' || isPublicAddress(address) || (reach === 'loopback' && isLoopback(address));

/**
 * Allows only https to public addresses in production. In the sandbox also http, and what `reach`
 * allows. The URL parser has normalized decimal, octal and hexadecimal IPv4 addresses.
 */
export function createGuard(
  production: boolean,
  resolve: Resolver,
  reach: Reach = production ? 'public' : 'any',
): Guard {
  const addresses = async (hostname: string): Promise<string[]> => {
    const host = bareHost(hostname);
    const found = isIP(host) === 0 ? await resolve(host) : [host];
    if (found.length === 0) throw new Error('the name has no address');
    // A private address among public ones is an intrusion attempt, or a mistake.
    if (!found.every((address) => isWithin(reach, address))) {
      throw new Forbidden(String(texts.not_public(host, true)));
    }
    return found;
  };

  const lookUps = createFairSlots({
    ...lookUpTerms,
    refusal: () => tooMany('webhook.look_ups_busy', {}, 1),
  });
  const addressesFor = (accountId: string | undefined, hostname: string): Promise<string[]> => {
    const lookUp = () => addresses(hostname);
    const isDirect = accountId === undefined || isIP(bareHost(hostname)) !== 0;
    return isDirect ? lookUp() : lookUps.run(accountId, lookUp);
  };

  const faultOf = async (text: string, accountId?: string): Promise<AddressFault | null> => {
    const url = URL.parse(text);
    if (url === null) return 'no_url';
    const shape = shapeFaultOf(url, production);
    if (shape !== null) return shape;
    try {
      await addressesFor(accountId, url.hostname);
      return null;
    } catch (error) {
      if (error instanceof TooMany) throw error;
      return error instanceof Forbidden ? 'not_public' : 'unknown_host';
    }
  };

  return {
    shapeFault(url) {
      const found = shapeFaultOf(url, production);
      return found && String(texts[found](url.href, production));
    },
    addresses,
    async fault(text, accountId) {
      const found = await faultOf(text, accountId);
      return found && texts[found](text, production);
    },
  };
}

export type CheckAddress = Guard['fault'];
