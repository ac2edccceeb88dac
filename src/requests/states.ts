/** Kinds of requests, as in the interface's `type`. */
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

/** Verbs that change a request. Some leave its state unchanged. */
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

/** A debit can be canceled until it is submitted. Then the bank or processor decides. */
const debit = {
  // Also from `in_process`, because a debit is submitted again in each run.
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
 * Transitions of each kind. Received money always counts: `collect` starts from every state except
 * `paid`, which a further payment does not change.
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
    // A QR has one state for every kind of reversal.
    revert: { from: ['paid'], to: 'refunded' },
    refund: { from: ['paid'], to: 'refunded' },
  },
} as const satisfies Record<RequestKind, Partial<Record<Move, Transition>>>;

export type StateOf<K extends RequestKind> = {
  [Kind in K]: StatesIn<(typeof transitions)[Kind]>;
}[K];

type StatesIn<Moves> = {
  [M in keyof Moves]: Moves[M] extends { from: readonly (infer From)[]; to: infer To }
    ? From | To
    : never;
}[keyof Moves];

/**
 * Returns true if an operator may assign suspense money to the request now. A bank or processor may
 * still collect a debit in process, which would then be paid twice.
 */
export const takesFoundMoney = (state: RequestState): boolean => state !== 'in_process';

/** Returns a move's transition, or null if the kind lacks it. */
export function transitionOf(kind: RequestKind, move: Move): Transition | null {
  const moves: Partial<Record<Move, Transition>> = transitions[kind];
  return moves[move] ?? null;
}
