import {
  type Answer,
  fault,
  json,
  type Listening,
  openHttp,
  type Request,
} from '../../protocol/http.ts';
import { openCards } from './cards.ts';
import { dispute } from './disputes.ts';
import { openPayouts, type Payouts } from './payouts.ts';
import type { Sale } from './sale.ts';
import { payByWallet } from './wallets.ts';

/** Options of the template's imaginary acquirer, which stores everything in memory. */

export interface AcquirerOptions {
  host: string;
  port: number;
  key: string;
  /**
   * Duration of the review of a sale with `tok_review`, of each step of a dispute, and of each
   * change of a card or payout.
   */
  reviewMs: number;
}

const reasons = ['no_funds', 'stolen', 'mistyped', 'call_issuer', 'refused'];
const pageSize = 50;

interface Ordered {
  reference: string;
  amount: number;
  token: string;
  notify: string | null;
  on_file: object | undefined;
  /** False to authorize only. */
  capture: boolean;
}

function orderedIn(body: string): Ordered | null {
  const { reference, amount, instrument, notify, on_file, capture } = JSON.parse(body);
  const isOne = typeof reference === 'string' && Number.isInteger(amount) && amount > 0;
  const token = instrument?.token ?? instrument?.reference;
  if (!isOne || typeof token !== 'string') return null;
  return { reference, amount, token, notify: notify ?? null, on_file, capture: capture !== false };
}

/** Lifetime of an issuer's hold. */
const heldMs = 7 * 86_400_000;

function createSale(
  { reference, amount, token, notify, capture }: Ordered,
  id: string,
  refusal: string | null,
): Sale {
  const reason = reasons.find((one) => token === `tok_${one}`) ?? refusal;
  const taken = capture ? 'paid' : 'held';
  const decided = token === 'tok_review' ? 'in_review' : taken;
  const at = new Date().toISOString();
  return {
    token,
    ...(!capture && { held_until: new Date(Date.now() + heldMs).toISOString() }),
    id,
    reference,
    state: reason ? 'refused' : decided,
    reason,
    amount,
    refunds: [],
    at,
    notify,
    code: null,
    network_id: `NET-${id}`,
    ...(token === 'tok_secure' && { secure: { status: 'Y', shift: true, version: '2.2.0' } }),
  };
}

const fieldsPage = `<!doctype html><meta charset="utf-8"><title>Datos de la tarjeta</title>
<form><label>Tarjeta de prueba <input name="token" value="tok_paid"></label></form>
<script>addEventListener('message',({data})=>{if(data?.recaudo==='submit')
parent.postMessage({recaudo:'token',token:document.forms[0].token.value},'*')});
parent.postMessage({recaudo:'ready'},'*')</script>`;

/** Captures a held sale, or voids one that is held or in review; any other sale stays as it is. */
function endHold(sale: Sale, action: 'capture' | 'void'): Answer | 'drop' {
  const { state, token } = sale;
  const open = action === 'void' ? ['held', 'in_review'] : ['held'];
  if (!open.includes(state)) return json(200, sale);
  if (action === 'void') sale.state = 'voided';
  else if (token === 'tok_capture_refused') {
    Object.assign(sale, { state: 'refused', reason: 'capture_refused' });
  } else sale.state = 'paid';
  return token === `tok_${action}_lost` ? 'drop' : json(200, sale);
}

/** Routes about one sale, found by its id or the merchant's reference. */
function aboutSale(
  sale: Sale | undefined,
  action: string | undefined,
  { body, payouts }: { body: string; payouts: Payouts },
): Answer | 'drop' {
  if (!sale) return fault(404, 'There is no such sale.');
  if (action === 'void' || action === 'capture') return endHold(sale, action);
  if (action !== 'refunds') return json(200, sale);
  const { key, amount } = JSON.parse(body);
  const before = sale.refunds.find((one) => one.key === key);
  const left = sale.amount - sale.refunds.reduce((sum, one) => sum + one.amount, 0);
  if (before) return json(200, before);
  if (sale.state !== 'paid' || !(amount > 0) || amount > left) return json(200, { refused: true });
  const made = { id: `${sale.id}-${sale.refunds.length + 1}`, key, amount };
  sale.refunds.push(made);
  payouts.takeBack(sale, amount);
  return json(200, made);
}

export async function startAcquirer({
  host,
  port,
  key,
  reviewMs,
}: AcquirerOptions): Promise<Listening> {
  const sales: Sale[] = [];
  const payouts = openPayouts();
  const timers = new Set<NodeJS.Timeout>();
  const find = (name: string): Sale | undefined =>
    sales.find(({ id, reference }) => id === name || reference === name);

  const later = (does: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      does();
    }, reviewMs);
    timers.add(timer);
  };
  const cards = openCards(later);
  const decideLater = (sale: Sale): void =>
    later(() => {
      if (sale.state === 'in_review') sale.state = sale.held_until ? 'held' : 'paid';
      // Sent once, as acquirers do: a receiver that was down must query.
      if (sale.notify) {
        fetch(`${sale.notify}?reference=${sale.reference}`, { method: 'POST' }).catch(() => {});
      }
    });

  function sell(body: string): Answer | 'drop' {
    const ordered = orderedIn(body);
    if (!ordered) return fault(400, 'The order is not valid.');
    if (find(ordered.reference)) return fault(409, 'The reference was used before.');
    const isCard = ordered.token.startsWith('card_');
    const wrong = isCard ? cards.faultOf(ordered.token, ordered.on_file) : null;
    if (wrong !== null) return fault(400, wrong);
    const sale = createSale(ordered, `S${sales.length + 1}`, cards.refusalOf(ordered.token));
    sales.push(sale);
    if (sale.state === 'in_review') decideLater(sale);
    if (ordered.token === 'tok_disputed') dispute(sale, later);
    if (ordered.token === 'tok_settled') {
      later(() => {
        if (sale.state === 'paid') payouts.pay(sale);
      });
    }
    return ordered.token === 'tok_lost' ? 'drop' : json(200, sale);
  }

  function list(query: URLSearchParams): Answer {
    const [from, until] = ['from', 'until'].map((name) => Date.parse(query.get(name) ?? ''));
    const start = Number(query.get('after') ?? 0);
    const page = sales.slice(start, start + pageSize);
    const within = page.filter(
      ({ at }) => Date.parse(at) >= (from ?? 0) && Date.parse(at) < (until ?? 0),
    );
    const more = start + pageSize < sales.length;
    return json(200, { sales: within, ...(more && { next: String(start + pageSize) }) });
  }

  const listening = await openHttp(
    { host, port },
    async ({ method, path, query, headers, body }: Request) => {
      const { 1: room, 2: first = '', 3: second, 4: third } = path.split('/');
      if (room === 'fields') {
        return { status: 200, headers: { 'content-type': 'text/html' }, body: fieldsPage };
      }
      if (headers.authorization !== `Bearer ${key}`) return fault(401, 'The key is wrong.');
      if (room === 'wallets') return await payByWallet(body, { key, sales });
      if (room === 'cards') return cards.route(first, second, body);
      if (room === 'payouts') return payouts.list(query);
      if (room !== 'sales') return fault(404, 'There is no such place.');
      if (first === '') return method === 'POST' ? sell(body) : list(query);
      if (first === 'by-reference') return aboutSale(find(second ?? ''), third, { body, payouts });
      return aboutSale(find(first), second, { body, payouts });
    },
  );
  return {
    origin: listening.origin,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      await listening.stop();
    },
  };
}
