import { randomUUID } from 'node:crypto';
import { type Answer, json, type Listening, openHttp, type Request } from '../../protocol/http.ts';
import { openStore } from '../../protocol/store.ts';

/** The bank of `connectors/bank`, after the public pages of its API: DEBIN, CVU, transfers. */

export interface BankOptions {
  host: string;
  port: number;
  dataDir: string;
  username: string;
  password: string;
  account: string;
  /** How long a payer takes to accept a DEBIN. */
  payerMs: number;
}

interface Debin {
  id: string;
  type: 'debin';
  origin_id: string;
  status: 'PENDING' | 'COMPLETED' | 'REJECTED' | 'REFUNDED' | 'DELETED';
  status_description: string;
  value: { currency: string; amount: number };
  description: string;
  created: string;
  accepted_at: number | null;
}

interface Transfer {
  id: string;
  type: 'transfer';
  status: 'COMPLETED' | 'REVERSED';
  details: { origin_credit: { cvu: string; cuit: string } };
  counterparty: { id: string; name: string; account_routing: { address: string } };
  charge: { value: { currency: string; amount: number } };
  created: string;
}
type Row = Debin | Transfer;

/** What is sent to the bank and to its desk; what is not there is refused by what reads it. */
interface Sent {
  client_id?: unknown;
  origin_id?: unknown;
  to?: unknown;
  value?: { currency: string; amount: number };
  description?: string;
  expiration?: number;
  id?: string;
  silent?: boolean;
  cvu?: string;
  amount?: number;
  cuit?: string;
  name?: string;
  from?: string;
}

const tables = `
  create table if not exists rows (
    id text primary key, origin text unique, place integer not null, body text not null) strict;
  create table if not exists cvus (client_id text primary key, cvu text not null) strict;
  create table if not exists webhook (url text not null) strict;`;

const refuse = (status: number, code: string, message: string): Answer =>
  json(status, { code, message });

/** The last digits of the account in a CBU say what its holder does. */
const ending = (cbu: string): string => cbu.slice(17, 21);

const checked = (digits: string, weights: readonly number[]): string => {
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return digits + String((10 - (sum % 10)) % 10);
};

/** The CVU of a client of this bank: 000, 0322, check digit, 0, client, check digit. */
export const cvuFor = (clientId: string): string =>
  checked('0000322', [7, 1, 3, 9, 7, 1, 3]) +
  checked(`0${clientId.padStart(12, '0')}`, [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3]);

/** Opens the bank; of its desk, `/emulator/…`, tests and people do what payers and banks do. */
export async function startBank(options: BankOptions): Promise<Listening> {
  const { database, write, close } = openStore(options.dataDir, 'bank.sqlite', tables);
  const root = `/v1/banks/322/accounts/${options.account}/owner`;
  const debins = `${root}/transaction-request-types/DEBIN/transaction-requests`;
  const tokens = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const one = (sql: string, ...values: string[]): Record<string, unknown> | undefined =>
    database.prepare(sql).get(...values);
  const rowOf = (id: string): Row | null => {
    const found = one('select body from rows where id = ?', id);
    return found ? JSON.parse(String(found.body)) : null;
  };

  const notify = async (type: string, data: Row): Promise<void> => {
    const url = one('select url from webhook limit 1')?.url;
    if (!url) return;
    const body = {
      id: randomUUID(),
      object: 'event',
      created: data.created,
      type,
      data,
      redeliveries: 0,
    };
    await fetch(String(url), { method: 'POST', body: JSON.stringify(body) }).catch(() => {});
  };

  const save = (row: Row): Promise<void> =>
    write(() => {
      database.prepare('update rows set body = ? where id = ?').run(JSON.stringify(row), row.id);
    });

  const add = (row: Row, origin: string | null): Promise<void> =>
    write(() => {
      const place = Number(one('select coalesce(max(place), 0) + 1 as next from rows')?.next);
      database
        .prepare('insert into rows values (?, ?, ?, ?)')
        .run(row.id, origin, place, JSON.stringify(row));
    });

  /** A DEBIN as it is now: the payer may have accepted it meanwhile. */
  async function current(row: Row): Promise<Row> {
    const due = row.type === 'debin' && row.status === 'PENDING' ? row.accepted_at : null;
    if (due === null || due > Date.now()) return row;
    const accepted: Row = {
      ...(row as Debin),
      status: 'COMPLETED',
      status_description: 'ACCREDITED',
    };
    await save(accepted);
    return accepted;
  }

  async function list(query: URLSearchParams, type: Row['type']): Promise<Answer> {
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(query.get(name) ?? 0));
    const rows = database
      .prepare(
        "select body from rows where body ->> 'type' = ? order by place desc limit ? offset ?",
      )
      .all(type, Math.min(limit || 50, 100), offset ?? 0);
    return json(200, await Promise.all(rows.map((row) => current(JSON.parse(String(row.body))))));
  }

  async function order(body: Sent): Promise<Answer | 'drop'> {
    const { origin_id: origin, to, value, description = '', expiration } = body;
    if (
      typeof origin !== 'string' ||
      !/^[A-Za-z0-9]{1,15}$/.test(origin) ||
      description.length > 100
    ) {
      return refuse(400, 'TX001', 'La orden no es válida');
    }
    if (!value || !(Number(expiration) <= 4320))
      return refuse(400, 'TX001', 'La orden no es válida');
    const before = one('select body from rows where origin = ?', origin);
    if (before) {
      const warnings = ['TRANSACTION_ALREADY_CREATED'];
      return json(200, { ...(await current(JSON.parse(String(before.body)))), warnings });
    }
    const holder = ending(String(Object(to).cbu ?? ''));
    if (holder === '0002') return refuse(409, 'TX008', 'La cuenta destino está cerrada');
    const debin: Debin = {
      id: randomUUID(),
      type: 'debin',
      origin_id: origin,
      status: holder === '0001' ? 'COMPLETED' : 'PENDING',
      status_description: holder === '0001' ? 'ACCREDITED' : 'AWAITING_CONFIRMATION',
      value,
      description,
      created: new Date().toISOString(),
      accepted_at: holder === '0005' ? null : Date.now() + options.payerMs,
    };
    await add(debin, origin);
    if (holder !== '0001' && holder !== '0005') acceptLater(debin.id);
    return holder === '0004' ? 'drop' : json(200, debin);
  }

  function acceptLater(id: string): void {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const row = rowOf(id);
      const now = row && (await current(row));
      if (now?.status === 'COMPLETED') await notify('debin.acredited', now);
    }, options.payerMs + 20);
    timers.add(timer);
  }

  async function aboutDebin(id: string, method: string): Promise<Answer> {
    const found = rowOf(id);
    const row = found && (await current(found));
    if (row?.type !== 'debin') return refuse(404, 'TX404', 'No existe');
    if (method !== 'DELETE') return json(200, row);
    if (row.status !== 'PENDING') return refuse(409, 'TX009', 'El DEBIN no está pendiente');
    const deleted: Debin = { ...row, status: 'DELETED', status_description: 'DELETED' };
    await save(deleted);
    return json(200, deleted);
  }

  async function cvuOf({ client_id: client, cuit = '', name = '' }: Sent): Promise<Answer> {
    const clientId = String(client);
    if (!/^\d{1,12}$/.test(clientId)) return refuse(400, 'CV001', 'El cliente no es válido');
    if (!/^\d{11}$/.test(cuit) || name === '') return refuse(400, 'CV002', 'Falta el titular');
    const found = one('select cvu from cvus where client_id = ?', clientId);
    const cvu = String(found?.cvu ?? cvuFor(clientId));
    if (!found)
      await write(() => database.prepare('insert into cvus values (?, ?)').run(clientId, cvu));
    return json(200, { client_id: clientId, cvu });
  }

  /** What happens outside: a payer refuses or disowns, somebody transfers, a transfer goes back. */
  async function desk(action: string, body: Sent): Promise<Answer> {
    const events: Record<string, [Row['status'], string]> = {
      reject: ['REJECTED', 'debin.rejected'],
      refund: ['REFUNDED', 'debin.refunded'],
      reverse: ['REVERSED', 'transfer.cvu.reversed'],
    };
    const {
      id = randomUUID(),
      silent,
      cvu = '',
      amount = 0,
      cuit = '',
      name = '',
      from = '',
    } = body;
    const event = events[action];
    const found = rowOf(String(id));
    if (event && found) {
      const changed = { ...found, status: event[0], status_description: event[0] } as Row;
      await save(changed);
      if (!silent) await notify(event[1], changed);
      return json(200, changed);
    }
    if (action !== 'transfer') return refuse(404, 'TX404', 'No existe');
    const transfer: Transfer = {
      id: String(id),
      type: 'transfer',
      status: 'COMPLETED',
      details: { origin_credit: { cvu, cuit } },
      counterparty: { id: cuit, name, account_routing: { address: from } },
      charge: { value: { currency: 'ARS', amount } },
      created: new Date().toISOString(),
    };
    await add(transfer, null);
    if (!silent) await notify('transfer.cvu.received', transfer);
    return json(200, transfer);
  }

  async function route({ method, path, query, headers, body }: Request): Promise<Answer | 'drop'> {
    const sent = body === '' ? {} : JSON.parse(body);
    if (path.startsWith('/emulator/')) return await desk(path.slice('/emulator/'.length), sent);
    if (path === '/v1/login/jwt') {
      if (sent.username !== options.username || sent.password !== options.password) {
        return refuse(401, 'AU001', 'Usuario o clave incorrectos');
      }
      const token = randomUUID();
      tokens.add(token);
      return json(200, { token, expires_in: 3600 });
    }
    if (!tokens.has(String(headers.authorization ?? '').replace('JWT ', ''))) {
      return refuse(401, 'AU002', 'Token inválido');
    }
    if (path === '/v1/webhooks' && method === 'PUT') {
      await write(() => {
        database.exec('delete from webhook');
        database.prepare('insert into webhook values (?)').run(sent.url);
      });
      return json(200, sent);
    }
    if (path === debins) return method === 'POST' ? await order(sent) : await list(query, 'debin');
    if (path.startsWith(`${debins}/`))
      return await aboutDebin(path.slice(debins.length + 1), method);
    if (path === `${root}/wallet/cvu` && method === 'POST') return await cvuOf(sent);
    if (path === `${root}/transactions`) return await list(query, 'transfer');
    const transfer = rowOf(path.slice(`${root}/transactions/`.length));
    return transfer ? json(200, transfer) : refuse(404, 'TX404', 'No existe');
  }

  const listening = await openHttp(options, route);
  return {
    origin: listening.origin,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      await listening.stop();
      close();
    },
  };
}
