import type { DebitKind } from '../../debit-requests/index.ts';
import { kindAt as mandateKindAt, segmentOf as segments } from '../mandates/places.ts';

/** Path segments of debits by kind, the same as for their mandates. */
export const segmentOf = {
  debit_request: segments.adhesion,
  card_debit_request: segments.card_adhesion,
} as const satisfies Record<DebitKind, string>;

export const debitKindOf = {
  adhesion: 'debit_request',
  card_adhesion: 'card_debit_request',
} as const;

export const kindAt = (segment = ''): DebitKind | null => {
  const kind = mandateKindAt(segment);
  return kind && debitKindOf[kind];
};
