import { describe, expect, test } from 'vitest';
import { networkTest, normalNetwork } from '../../../src/platform/http/networks.ts';

describe('the canonical form of a network', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.255/25', '203.0.113.128/25'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:1234:5678::1/33', '2001:db8::/33'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
  ])('normalizes %s to %s', (text, normal) => expect(normalNetwork(text)).toBe(normal));

  test.each([
    ...['', ' ', '203.0.113', '203.0.113.256', '0203.0.113.7', '203.0.113.7/33', '203.0.113.7/'],
    ...['203.0.113.7/-1', '203.0.113.7/1.5', '203.0.113.7/24/24', '203.0.113.0-9', '203.0.113.*'],
    ...['example.com', '2001:db8::/129', '2001:db8:::', 'fe80::1%eth0', '[2001:db8::1]'],
    ...['::ffff:203.0.113.7/95', '203.0.113.7:443', '203.0.113.7/٢٤'],
  ])('rejects %j', (text) => expect(normalNetwork(text)).toBeNull());
});

describe('an address in a network', () => {
  const isIn = (network: string, address: string) =>
    networkTest([normalNetwork(network) ?? ''])(address);

  test.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.0/24', '::ffff:203.0.113.9', true],
    ['203.0.113.0/24', '::ffff:cb00:7109', true],
    ['::ffff:203.0.113.0/120', '203.0.113.9', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '203.0.113.7', false],
    ['2001:db8::/32', '2001:0DB8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['0.0.0.0/0', '', false],
    ['0.0.0.0/0', 'unknown', false],
  ])('decides whether %s contains %s: %s', (network, address, found) =>
    expect(isIn(network, address)).toBe(found),
  );

  test('finds an address in any of several networks', () => {
    const test2 = networkTest(['203.0.113.0/24', '2001:db8::/32', '198.51.100.7']);
    const addresses = ['203.0.113.1', '2001:db8::1', '198.51.100.7', '198.51.100.8'];
    expect(addresses.map(test2)).toEqual([true, true, true, false]);
    expect(networkTest([])('203.0.113.1')).toBe(false);
  });
});
