/** Kinds of requests; the interface names them in `type`. */
export type RequestKind = 'payment_request' | 'debit_request' | 'card_debit_request' | 'qr';

export type RequestState =
  | 'pending'
  | 'in_process'
  | 'paid'
  | 'rejected'
  | 'expired'
  | 'canceled'
  | 'deleted'
  | 'reverted'
  | 'refunded';

/** Changes of a request's state, or within a state. */
export type Move =
  | 'edit'
  | 'submit'
  | 'retry'
  | 'collect'
  | 'reject'
  | 'expire'
  | 'cancel'
  | 'delete'
  | 'revert'
  | 'refund';

export interface Transition {
  from: readonly RequestState[];
  to: RequestState;
}

/** A debit is canceled only before it is submitted; from then on the bank or processor decides. */
const debit = {
  // Each of its runs is submitted.
  submit: { from: ['pending', 'in_process'], to: 'in_process' },
  retry: { from: ['in_process'], to: 'in_process' },
  collect: {
    from: ['pending', 'in_process', 'rejected', 'canceled', 'reverted', 'refunded'],
    to: 'paid',
  },
  reject: { from: ['in_process'], to: 'rejected' },
  cancel: { from: ['pending'], to: 'canceled' },
  revert: { from: ['paid'], to: 'reverted' },
  refund: { from: ['paid'], to: 'refunded' },
} as const;

/**
 * The transitions of each kind. Received money counts in any case: `collect` starts from every
 * state, and a paid request takes another payment and stays paid. It is never a command of ours.
 */
export const transitions = {
  payment_request: {
    collect: { from: ['pending', 'expired', 'reverted', 'refunded'], to: 'paid' },
    expire: { from: ['pending'], to: 'expired' },
    revert: { from: ['paid'], to: 'reverted' },
    refund: { from: ['paid'], to: 'refunded' },
  },
  debit_request: debit,
  card_debit_request: debit,
  qr: {
    collect: { from: ['pending', 'expired', 'deleted', 'refunded'], to: 'paid' },
    expire: { from: ['pending'], to: 'expired' },
    edit: { from: ['pending'], to: 'pending' },
    delete: { from: ['pending'], to: 'deleted' },
    // A QR has one state for reversed money, in whatever way.
    revert: { from: ['paid'], to: 'refunded' },
    refund: { from: ['paid'], to: 'refunded' },
  },
} as const satisfies Record<RequestKind, Partial<Record<Move, Transition>>>;

/** The states that a kind of request can be in. */
export type StateOf<K extends RequestKind> = {
  [Kind in K]: StatesIn<(typeof transitions)[Kind]>;
}[K];

type StatesIn<Moves> = {
  [M in keyof Moves]: Moves[M] extends { from: readonly (infer From)[]; to: infer To }
    ? From | To
    : never;
}[keyof Moves];

/**
 * True if money that an operator matched to the request may be recorded on it now. Not while a bank
 * or processor still has the debit: its collection would come a second time.
 */
export const takesFoundMoney = (state: RequestState): boolean => state !== 'in_process';

/** Returns the transition of a move, or null if its kind does not know it. */
export function transitionOf(kind: RequestKind, move: Move): Transition | null {
  const moves: Partial<Record<Move, Transition>> = transitions[kind];
  return moves[move] ?? null;
}
