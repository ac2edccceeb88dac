import type { Links } from '../../platform/links.ts';

/** Returns the public addresses of a QR's pictures, by number. */
export function qrImageUrls(links: Links, key: { accountId: string; id: number }) {
  const address = `${links.origin}/qr-image/${links.tokenOf(key)}`;
  return { image_url: `${address}.png`, image_svg_url: `${address}.svg` };
}
