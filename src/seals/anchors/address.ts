export const anchorProtocols = [
  'file:',
  'syslog+udp:',
  'syslog+tcp:',
  'syslog+tls:',
  'https:',
  'http:',
];

/** Returns false for a file URL that does not name a local file. */
export function namesAnchorFile(address: string): boolean {
  const { protocol, host, pathname } = new URL(address);
  return protocol !== 'file:' || (host === '' && !pathname.endsWith('/'));
}
