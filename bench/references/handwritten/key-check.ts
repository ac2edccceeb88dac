import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

export interface Caller {
  accountId: string;
  /** The actor in events. */
  actor: string;
  permissions: string[];
}

interface KeyRow {
  id: string;
  account_id: string;
  prefix: string;
  permissions: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  state: string;
}

/** A refused call, with its answer. */
export class Refused extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

const keptMs = 5_000;

const isGood = (row: KeyRow, now: number): boolean =>
  row.state !== 'closed' && row.revoked_at === null && (row.expires_at?.getTime() ?? now + 1) > now;

/** Finds the caller by the hash of the key, cached for five seconds. */
export function createKeyCheck(pool: Pool) {
  const kept = new Map<string, { caller: Caller; until: number }>();

  const read = async (hash: Buffer, now: number): Promise<Caller> => {
    const { rows } = await pool.query<KeyRow>({
      name: 'key',
      text: `select k.id, k.account_id, k.prefix, k.permissions, k.expires_at, k.revoked_at, a.state
        from api_keys k join accounts a on a.id = k.account_id where k.hash = $1`,
      values: [hash],
    });
    const [row] = rows;
    if (!row || !isGood(row, now)) throw new Refused(401, 'This API key is not good.');
    const { account_id: accountId, permissions, prefix, id } = row;
    return { accountId, permissions, actor: `key:${prefix}:${id}` };
  };

  return async (authorization: string | undefined, permission: string): Promise<Caller> => {
    const key = /^Bearer +([!-~]{8,255})$/i.exec(authorization ?? '')?.[1];
    if (!key) throw new Refused(401, 'An API key is needed.');
    const hash = createHash('sha256').update(key).digest();
    const name = hash.toString('base64');
    const now = Date.now();
    let found = kept.get(name);
    if (!found || found.until <= now) {
      found = { caller: await read(hash, now), until: now + keptMs };
      kept.set(name, found);
    }
    if (!found.caller.permissions.includes(permission)) throw new Refused(403, 'Not permitted.');
    return found.caller;
  };
}
