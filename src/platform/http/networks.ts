import { BlockList, isIP } from 'node:net';

interface Address {
  family: 'ipv4' | 'ipv6';
  /** Bits of a part: 8 for IPv4's bytes, 16 for IPv6's groups. */
  width: 8 | 16;
  parts: number[];
}

const groupsOf = (address: string): number[] => {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};

/**
 * Parses an address. IPv4-mapped IPv6 becomes IPv4. Returns null if it is malformed or has a zone.
 */
function parseAddress(text: string): Address | null {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return null;
  if (family === 4) return { family: 'ipv4', width: 8, parts: text.split('.').map(Number) };
  const parts = groupsOf(text);
  const isMapped = parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;
  if (!isMapped) return { family: 'ipv6', width: 16, parts };
  const bytes = parts.slice(6).flatMap((part) => [part >> 8, part & 0xff]);
  return { family: 'ipv4', width: 8, parts: bytes };
}

const textOf = ({ family, parts }: Address): string =>
  family === 'ipv4'
    ? parts.join('.')
    : new URL(`http://[${parts.map((part) => part.toString(16)).join(':')}]/`).hostname.slice(
        1,
        -1,
      );

/** Clears the bits that name a host. */
const masked = ({ parts, width, ...rest }: Address, bits: number): Address => ({
  ...rest,
  width,
  parts: parts.map((part, index) => {
    const cleared = width - Math.min(Math.max(bits - index * width, 0), width);
    return (part >> cleared) << cleared;
  }),
});

/**
 * Returns an address or CIDR range in its shortest spelling, with the host bits cleared, or null if
 * it is malformed. IPv4-mapped IPv6 becomes IPv4.
 */
export function normalNetwork(text: string): string | null {
  const [before = '', length, ...rest] = text.split('/');
  const address = parseAddress(before);
  if (address === null || rest.length > 0) return null;
  const size = address.parts.length * address.width;
  if (length === undefined) return textOf(address);
  if (!/^\d{1,3}$/.test(length)) return null;
  const bits = Number(length) - (isIP(before) === 6 ? 128 - size : 0);
  if (bits < 0 || bits > size) return null;
  const network = textOf(masked(address, bits));
  return bits === size ? network : `${network}/${bits}`;
}

/**
 * Returns a predicate: true if an address is in one of the networks, which must be in the form that
 * `normalNetwork` returns.
 */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  // Separate lists, because in a shared one IPv4 addresses match IPv6 ranges such as ::/0.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) lists[family].addAddress(address, family);
    else lists[family].addSubnet(address, Number(bits), family);
  }
  return (text) => {
    const address = parseAddress(text.split('%')[0] ?? '');
    return address !== null && lists[address.family].check(textOf(address), address.family);
  };
}
