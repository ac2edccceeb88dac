import type { Ctx } from '../platform/base.ts';
import { refusal } from './codes.ts';
import type { FindQr } from './dynamic/index.ts';
import { readQrId } from './item.ts';
import type { FindStatic } from './static/index.ts';

/**
 * Returns the request of a dynamic QR, or of a static QR's transaction, for reports. Throws 404 for
 * an unknown id, and for a static QR itself, which has many requests.
 */
export const requestOf =
  (findDynamic: FindQr, findStatic: FindStatic) =>
  async ({ accountId }: Ctx, sent: string): Promise<number> => {
    const id = readQrId(sent, accountId);
    if (!id.ok) throw refusal('qr.not_found', {});
    const dynamic = await findDynamic({ accountId, code: id.value });
    if (dynamic) return dynamic.row.id;
    const found = await findStatic({ accountId, id: id.value });
    if (found?.kind === 'transaction') return found.row.id;
    throw refusal('qr.no_single_request', {});
  };
