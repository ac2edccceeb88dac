import type { Links } from '../../platform/links.ts';

/** The public addresses of a QR's pictures, by its number (a transaction's, or a static's own). */
export function qrImageUrls(links: Links, key: { accountId: string; id: number }) {
  const address = `${links.origin}/qr-image/${links.tokenOf(key)}`;
  return { image_url: `${address}.png`, image_svg_url: `${address}.svg` };
}
