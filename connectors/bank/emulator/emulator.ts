import { randomUUID } from 'node:crypto';
import { type Answer, type Listening, openHttp, type Request } from '../../protocol/http.ts';
import { bankAnswer, debinView, refuse, shownTransfer } from './answers.ts';
import { type Debin, openBook, type Row, type Transfer } from './book.ts';
import { createDebins, type OrderBody } from './debins.ts';
import { createWallet } from './wallet.ts';
import { createWebhooks } from './webhooks.ts';

// Emulates the bank of `connectors/bank`. Written from the public documentation and public clients,
// not from the connector, so that it refuses whatever the documentation forbids.

export interface BankOptions {
  host: string;
  port: number;
  dataDir: string;
  username: string;
  password: string;
  account: string;
  /** Milliseconds until a payer accepts a DEBIN. */
  payerMs: number;
}

const dayMs = 86_400_000;
const mostRows = 50;

/** Days that a list covers; by default the last week. */
function daysIn(headers: Request['headers']): { from: number; until: number } {
  const at = (name: string): number => Date.parse(String(headers[name] ?? ''));
  const [from, to] = [at('obp_from_date'), at('obp_to_date')];
  return {
    from: Number.isFinite(from) ? from : Date.now() - 7 * dayMs,
    until: Number.isFinite(to) ? to + dayMs : Date.now() + 1,
  };
}

/** Returns a page of a list; pages count from 1, and 0 also means the first. */
function pageIn(headers: Request['headers'], rows: object[]): Answer {
  const number = (name: string): number => Math.max(1, Math.floor(Number(headers[name] ?? 1)) || 1);
  const size = Math.min(number('obp_limit'), mostRows);
  const at = (number('obp_offset') - 1) * size;
  return bankAnswer(200, rows.slice(at, at + size));
}

interface DeskParts {
  book: ReturnType<typeof openBook>;
  webhooks: ReturnType<typeof createWebhooks>;
  debins: ReturnType<typeof createDebins>;
  tokens: Set<string>;
}

/**
 * Actions outside the API: a buyer refuses or disowns, a transfer arrives or is reversed, the
 * seller is enabled or disabled, all tokens end.
 */
const createDesk =
  ({ book, webhooks, debins, tokens }: DeskParts) =>
  async (action: string, sent: OrderBody): Promise<Answer> => {
    const changes: Readonly<Record<string, [status: string, type: string]>> = {
      reject: ['REJECTED_CLIENT', 'debin.rejected'],
      refund: ['REFUNDED', 'debin.refunded'],
    };
    const change = changes[action];
    const found = book.row(String(sent.id ?? ''));
    const tell = async (type: string, row: Row): Promise<Answer> => {
      if (sent.silent !== true) await webhooks.tell(type, row);
      return bankAnswer(200, row);
    };
    if (change) {
      if (found?.kind !== 'DEBIN') return bankAnswer(404, {});
      const changed: Row = { ...found, status: change[0] };
      await book.save(changed);
      return await tell(change[1], changed);
    }
    if (action === 'seller') return await debins.adhere(sent);
    if (action === 'tokens')
      return bankAnswer(200, { forgotten: tokens.size, all: tokens.clear() });
    const transfer: Transfer = {
      kind: 'TRANSFER-CVU',
      id: String(sent.id ?? randomUUID()),
      status: action === 'reverse' ? 'FAILED' : String(sent.status ?? 'COMPLETED'),
      direction: action === 'reverse' ? 'TRANSFERENCIAS_ENVIADAS' : 'TRANSFERENCIAS_RECIBIDAS',
      cvu: String(sent.cvu ?? ''),
      cuit: '30500010912',
      amount: Number(sent.amount ?? 0),
      startedAt: Date.now(),
      counterparty: {
        id: String(sent.cuit ?? ''),
        name: String(sent.name ?? ''),
        address: String(sent.from ?? ''),
      },
    };
    await book.add(transfer);
    return await tell(
      action === 'reverse' ? 'transfer.cvu.reversed' : 'transfer.cvu.received',
      transfer,
    );
  };

function createRoutes(options: BankOptions, later: (ms: number, work: () => void) => void) {
  const { account, username, password } = options;
  const book = openBook(options.dataDir);
  const webhooks = createWebhooks(book, account);
  const told: Readonly<Record<string, string>> = {
    COMPLETED: 'debin.acredited',
    REJECTED_CLIENT: 'debin.rejected',
  };
  const debins = createDebins(book, options, (debin) =>
    later(options.payerMs + 20, async () => {
      const row = book.row(debin.id);
      const now = row?.kind === 'DEBIN' ? await debins.current(row) : null;
      const type = now && told[now.status];
      if (type) await webhooks.tell(type, now);
    }),
  );
  const wallet = createWallet(book, account);
  const tokens = new Set<string>();
  const desk = createDesk({ book, webhooks, debins, tokens });

  function login({ username: user, password: word }: OrderBody): Answer {
    if (user !== username || word !== password) return refuse('GE401', 'Usuario inexistente');
    const token = randomUUID();
    tokens.add(token);
    return bankAnswer(200, { token, expires_in: 3600 });
  }

  async function listed(kind: Row['kind'], headers: Request['headers']): Promise<Answer> {
    const { from, until } = daysIn(headers);
    const rows = book.between(kind, from, until);
    if (kind === 'DEBIN') {
      const now = await Promise.all(rows.map((row) => debins.current(row as Debin)));
      return pageIn(
        headers,
        now.map((debin) => debinView(debin, account)),
      );
    }
    const origin = headers.obp_origin ?? 'TRANSFERENCIAS_ENVIADAS';
    const those = (rows as Transfer[]).filter(({ direction }) => direction === origin);
    return pageIn(
      headers,
      those.map((transfer) => shownTransfer(transfer, account)),
    );
  }

  /** Routes paths under the account: DEBIN, CVU and transfers. */
  async function below(
    path: string,
    { method, headers }: Request,
    sent: OrderBody,
  ): Promise<Answer | 'drop' | null> {
    const [, group, kind, id, ...rest] = path.split('/');
    if (rest.length > 0) return null;
    if (group === 'wallet')
      return kind === 'cvu' && method === 'POST' && !id ? wallet.open(sent) : null;
    if (group !== 'transaction-request-types') return null;
    if (kind === 'TRANSFER-CVU' && method === 'GET') {
      return id ? wallet.transfer(decodeURIComponent(id)) : await listed(kind, headers);
    }
    if (kind !== 'DEBIN') return null;
    if (!id && method === 'GET') return await listed(kind, headers);
    if (!id && method === 'PUT') return await debins.adhere(sent);
    if (id === 'transaction-requests') return method === 'POST' ? await debins.order(sent) : null;
    const isAbout = id !== undefined && (method === 'GET' || method === 'DELETE');
    return isAbout ? await debins.about(decodeURIComponent(id), method) : null;
  }

  async function route(request: Request): Promise<Answer | 'drop'> {
    const { method, path, headers, body } = request;
    const sent: OrderBody = body === '' ? {} : JSON.parse(body);
    if (path.startsWith('/emulator/')) return await desk(path.slice('/emulator/'.length), sent);
    if (path === '/v1/login/jwt' && method === 'POST') return login(sent);
    const [, token = ''] = /^JWT (.+)$/.exec(String(headers.authorization ?? '')) ?? [];
    if (!tokens.has(token)) return refuse('GE401', 'Token inválido');
    if (path === '/v1/webhooks' && method === 'PUT') return await webhooks.register(sent);
    const [, bankId, accountId, view, rest = ''] =
      /^\/v1\/banks\/([^/]+)\/accounts\/([^/]+)\/([^/]+)(\/.*)$/.exec(path) ?? [];
    if (bankId === undefined) return bankAnswer(404, {});
    if (bankId !== '322') return refuse('PA001', 'Banco inválido');
    if (view !== 'owner') return refuse('PA002', 'Vista inválida');
    if (accountId !== account) return refuse('GE403', 'Sin permisos', 403);
    return (await below(rest, request, sent)) ?? bankAnswer(404, {});
  }

  return { route, close: book.close };
}

/** Starts the bank. At its desk, `/emulator/…`, tests and people play payers and banks. */
export async function startBank(options: BankOptions): Promise<Listening> {
  const timers = new Set<NodeJS.Timeout>();
  const { route, close } = createRoutes(options, (ms, work) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  });
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
