import type { Queryable } from '../platform/postgres/connect.ts';
import {
  findByCode,
  findRequests,
  type RequestRow,
  readRequests,
  requestRefusal,
} from '../requests/index.ts';

const number = /^[0-9]{1,15}$/;
/** A QR's id begins with its account's. */
const qrId = /^([0-9A-F]{8})-.+$/;

async function lookUp(
  sql: Queryable,
  name: string,
  accountId: string | null,
): Promise<RequestRow | null> {
  if (number.test(name)) {
    const id = Number(name);
    const [row = null] =
      accountId === null
        ? await findRequests(sql, [id])
        : await readRequests(sql, [{ accountId, id }]);
    if (row) return row;
  }
  const [, prefix] = qrId.exec(name) ?? [];
  const owner = prefix ?? accountId;
  if (owner === null || (accountId !== null && owner !== accountId)) return null;
  return await findByCode(sql, {
    accountId: owner,
    code: prefix === undefined ? `${owner}-${name}` : name,
  });
}

/**
 * Finds the request that an id names. A number is a request of any kind, because all kinds share a
 * sequence. Anything else, or an unknown number, is a QR's own id. Throws 404 if there is none, or
 * it is another account's.
 */
export async function findNamed(
  sql: Queryable,
  name: string,
  accountId: string | null,
): Promise<RequestRow> {
  const row = await lookUp(sql, name, accountId);
  if (!row) throw requestRefusal('request.not_found', {});
  return row;
}
