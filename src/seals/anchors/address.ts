/** URL schemes of anchor receivers. */
export const anchorProtocols = [
  'file:',
  'syslog+udp:',
  'syslog+tcp:',
  'syslog+tls:',
  'https:',
  'http:',
];

/** Returns true if the address is a local file, or is no file URL at all. */
export function namesAnchorFile(address: string): boolean {
  const { protocol, host, pathname } = new URL(address);
  return protocol !== 'file:' || (host === '' && !pathname.endsWith('/'));
}
