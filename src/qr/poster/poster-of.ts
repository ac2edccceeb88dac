import { type Account, issuerOf } from '../../accounts/index.ts';
import { cuitText } from '../../platform/pages/format.ts';
import { drawQrApart } from '../images/apart.ts';
import type { StaticRow } from '../static/store.ts';
import type { Poster } from './poster.ts';

/** Draws a static QR's poster with its account's logo and color. */
export async function drawPoster(
  account: Account,
  row: StaticRow,
  logo: Buffer | null,
): Promise<Buffer> {
  const { accent, logo: size } = account.look;
  const poster: Poster = {
    issuer: issuerOf(account).name,
    issuerLine: `CUIT ${cuitText(account.cuit)}`,
    ...(accent !== undefined && { accent }),
    ...(size && { logo: { width: size.width, height: size.height } }),
    name: row.name,
    description: row.description,
    id: row.id,
    payload: row.payload,
    at: row.created_at.toString(),
  };
  return await drawQrApart({ account: account.id }, 'poster', JSON.stringify(poster), logo);
}
