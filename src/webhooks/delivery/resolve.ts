import { Resolver as DnsResolver, lookup } from 'node:dns/promises';

/** Networks that webhooks may reach: the Internet, also this machine, or any. */
export type Reach = 'public' | 'loopback' | 'any';

/** Resolves a host name to all its addresses. Rejects if there are none. */
export type Resolver = (host: string) => Promise<string[]>;

/** Resolves like the operating system: hosts file, then DNS. */
const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

const terms = { timeout: 2_000, tries: 2 };

/** These names never leave the machine (RFC 6761). */
const isLocal = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);

/**
 * Resolves by DNS alone, without a thread. The operating system's look-up has two threads for the
 * whole process and no deadline, so names of one account would delay every new connection.
 */
export function dnsResolver(servers: readonly string[] | null = null): Resolver {
  return async (host) => {
    if (isLocal(host)) return ['127.0.0.1', '::1'];
    // A resolver reads the machine's name servers once, when it is created.
    const dns = new DnsResolver(terms);
    if (servers !== null) dns.setServers(servers);
    const [four, six] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
    const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

/** Returns the resolver for these networks. Names of private networks may be in the hosts file. */
export const resolverFor = (reach: Reach): Resolver =>
  reach === 'public' ? dnsResolver() : systemResolver;
