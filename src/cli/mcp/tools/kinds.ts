import type { Recaudo } from '../../../../clients/typescript/src/index.ts';

export const requestKinds = ['payment_request', 'debit_request', 'card_debit_request'] as const;
export const debitKinds = ['debit_request', 'card_debit_request'] as const;
export const mandateKinds = ['adhesion', 'card_adhesion'] as const;
export const listedKinds = [...requestKinds, ...mandateKinds] as const;

export type RequestKind = (typeof requestKinds)[number];
export type ListedKind = (typeof listedKinds)[number];

export interface Item {
  id: number;
  state: string;
}

/** Declared as methods, so that the client's narrower types are assignable. */
interface Listed {
  get(id: number): Promise<Item>;
  list(filters?: object): AsyncIterable<Item>;
}

export const callsOf = (recaudo: Recaudo, kind: ListedKind): Listed =>
  ({
    payment_request: recaudo.paymentRequests,
    debit_request: recaudo.debitRequests,
    card_debit_request: recaudo.cardDebitRequests,
    adhesion: recaudo.adhesions,
    card_adhesion: recaudo.cardAdhesions,
  })[kind];

export const refundsOf = (recaudo: Recaudo, kind: RequestKind) =>
  ({
    payment_request: recaudo.paymentRequests,
    debit_request: recaudo.debitRequests,
    card_debit_request: recaudo.cardDebitRequests,
  })[kind];

/** Reads up to `limit` items, and whether there are more. */
export async function take<T>(items: AsyncIterable<T>, limit: number) {
  const data: T[] = [];
  for await (const item of items) {
    if (data.length === limit) return { data, more: true };
    data.push(item);
  }
  return { data, more: false };
}
