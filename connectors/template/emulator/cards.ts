import { type Answer, fault, json } from '../../protocol/http.ts';

/** Cards on file at the imagined acquirer, in memory. */
interface Card {
  id: string;
  reference: string;
  state: 'kept' | 'refused';
  reason: string | null;
  last_four: string;
}

export interface Cards {
  /** Whether a card may be charged. */
  holds(id: string): boolean;
  route(first: string, second: string | undefined, body: string): Answer | 'drop';
}

const reasons = ['no_funds', 'stolen', 'mistyped', 'call_issuer', 'refused'];

export function openCards(): Cards {
  const cards = new Map<string, Card>();
  const named = (reference: string | undefined): Card | undefined =>
    [...cards.values()].find((card) => card.reference === reference);

  function keep(body: string): Answer | 'drop' {
    const { reference, token } = JSON.parse(body);
    if (typeof reference !== 'string' || typeof token !== 'string') {
      return fault(400, 'The card is none.');
    }
    if (named(reference)) return fault(409, 'The reference was used before.');
    const reason = reasons.find((one) => token === `tok_${one}`) ?? null;
    const state = reason ? 'refused' : 'kept';
    const card: Card = {
      id: `card_${cards.size + 1}`,
      reference,
      state,
      reason,
      last_four: '4905',
    };
    cards.set(card.id, card);
    return token === 'tok_lost' ? 'drop' : json(200, card);
  }

  return {
    holds: (id) => cards.get(id)?.state === 'kept',
    route(first, second, body) {
      if (first === '') return keep(body);
      const card = first === 'by-reference' ? named(second) : cards.get(first);
      if (!card) return fault(404, 'There is no such card.');
      if (second === 'forget') cards.set(card.id, { ...card, state: 'refused', reason: 'gone' });
      return json(200, cards.get(card.id));
    },
  };
}
