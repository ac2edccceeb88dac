import { type Answer, fault, json } from '../../protocol/http.ts';

/** Cards on file at the imaginary acquirer, in memory. */
interface Card {
  id: string;
  reference: string;
  state: 'kept' | 'refused' | 'closed';
  reason: string | null;
  last_four: string;
  expires: string;
  network_id: string;
  version: number;
}

/** The required data of a sale with a card on file. */
interface OnFile {
  initiator?: unknown;
  reason?: unknown;
  network_transaction_id?: unknown;
}

export interface Cards {
  /** Returns a card's refusal reason, or null if it can be charged. */
  refusalOf(id: string): string | null;
  /** Returns the fault of an order to charge a card, or null. */
  faultOf(id: string, onFile: OnFile | undefined): string | null;
  route(first: string, second: string | undefined, body: string): Answer | 'drop';
}

const refusals = ['no_funds', 'stolen', 'mistyped', 'call_issuer', 'refused'];
const agreed = ['recurring', 'instalments', 'unscheduled'];

const isAgreed = ({ initiator, reason }: OnFile, wanted: string): boolean =>
  initiator === wanted && agreed.some((one) => one === reason);

/** Opens the acquirer's cards on file. `later` schedules an event. */
export function openCards(later: (does: () => void) => void): Cards {
  const cards = new Map<string, Card>();
  const named = (reference: string | undefined): Card | undefined =>
    [...cards.values()].find((card) => card.reference === reference);

  /** `tok_updated` gets a new number, `tok_closed` is closed. */
  function change(card: Card, token: string, notify: unknown): void {
    if (token !== 'tok_updated' && token !== 'tok_closed') return;
    later(() => {
      if (cards.get(card.id)?.state !== 'kept') return;
      const version = card.version + 1;
      cards.delete(card.id);
      const next: Card =
        token === 'tok_closed'
          ? { ...card, version, state: 'closed', reason: 'closed' }
          : { ...card, version, id: `${card.id}_2`, last_four: '2684', expires: '12/44' };
      cards.set(next.id, next);
      if (typeof notify !== 'string') return;
      fetch(`${notify}?reference=${card.reference}`, { method: 'POST' }).catch(() => {});
    });
  }

  function keep(body: string): Answer | 'drop' {
    const { reference, token, on_file: onFile, notify } = JSON.parse(body);
    if (typeof reference !== 'string' || typeof token !== 'string') {
      return fault(400, 'The card is not valid.');
    }
    if (!isAgreed(onFile ?? {}, 'payer'))
      return fault(400, 'It must say what its holder agreed to.');
    if (named(reference)) return fault(409, 'The reference was used before.');
    const no = cards.size + 1;
    const reason = refusals.find((one) => token === `tok_${one}`) ?? null;
    const card: Card = {
      id: `card_${no}`,
      reference,
      state: reason ? 'refused' : 'kept',
      reason,
      last_four: '4905',
      expires: '08/40',
      network_id: `NET-C${no}`,
      version: 1,
    };
    cards.set(card.id, card);
    change(card, token, notify);
    return token === 'tok_lost' ? 'drop' : json(200, card);
  }

  return {
    refusalOf(id) {
      const card = cards.get(id);
      return card && card.state !== 'kept' ? (card.reason ?? 'refused') : null;
    },
    faultOf(id, onFile) {
      const card = cards.get(id);
      if (!card) return 'There is no such card.';
      if (!onFile || !isAgreed(onFile, 'merchant')) return 'It must say who began it, and why.';
      const isFirst = onFile.network_transaction_id === card.network_id;
      return isFirst ? null : 'It must name the payment by which its holder agreed.';
    },
    route(first, second, body) {
      if (first === '') return keep(body);
      const card = first === 'by-reference' ? named(second) : cards.get(first);
      if (!card) return fault(404, 'There is no such card.');
      if (second === 'forget') cards.set(card.id, { ...card, state: 'refused', reason: 'gone' });
      return json(200, cards.get(card.id));
    },
  };
}
