import { type AuthoredChange, changesIn } from '../acts/changes.ts';

interface Shown {
  /** Event types after the dot. */
  readonly acts: readonly string[];
  /** Fields of their events. No free text, which may name a payer or be an operator's note. */
  readonly fields?: readonly string[];
}

const request: Shown = {
  acts: [
    ...['created', 'edited', 'submitted', 'retried', 'paid', 'rejected', 'expired', 'canceled'],
    ...['deleted', 'reverted', 'refunded', 'refund_requested', 'refund_failed', 'disputed'],
    ...['rescheduled', 'availability_moved', 'mail_resent', 'unsubscribed', 'resubscribed'],
    'payer_erased',
  ],
  fields: ['amount'],
};
const mandate: Shown = {
  acts: [
    ...['created', 'signed', 'canceled', 'letter_resent', 'link_renewed', 'instrument_replaced'],
    ...['number_erased', 'payer_erased'],
  ],
};

/** Everything that the activity log shows, by entity. Anything else stays hidden. */
export const activity: Readonly<Record<string, Shown>> = {
  payment_request: request,
  debit_request: request,
  card_debit_request: request,
  qr: request,
  static_qr: { acts: ['created'] },
  qr_batch: { acts: ['opened', 'saved', 'completed', 'failed'] },
  adhesion: mandate,
  card_adhesion: mandate,
  import: {
    acts: [
      ...['uploaded', 'read_again', 'matched', 'discarded', 'confirmed', 'completed', 'failed'],
      ...['undo_asked', 'undone'],
    ],
  },
  proposal: {
    acts: ['made', 'first_approved', 'approved', 'rejected', 'expired'],
    fields: ['amount'],
  },
  payout: { acts: ['sent', 'returned'], fields: ['amount'] },
  correction: { acts: ['posted'], fields: ['amount'] },
  account: {
    acts: [
      ...['created', 'changed', 'suspended', 'reopened', 'closed', 'look_changed', 'look_asked'],
      ...['look_withdrawn', 'look_rejected', 'mails_changed', 'payout_cbu_asked'],
      ...['payout_cbu_canceled', 'payout_cbu_changed'],
    ],
    fields: [
      ...['name', 'state', 'payout_cbu', 'next_payout_cbu', 'returns_fees', 'refunds_below_zero'],
      ...['returns_late_approvals', 'refund_approval_above', 'card_cut_day'],
    ],
  },
  fees: {
    acts: ['set', 'ended'],
    fields: ['channel', 'from', 'percentage', 'fixed', 'minimum', 'days'],
  },
  membership: {
    acts: ['invited', 'created', 'accepted', 'role_changed', 'ended', 'notices_chosen'],
    fields: ['role'],
  },
  api_key: {
    acts: ['created', 'revoked', 'restricted', 'rotated'],
    fields: ['name', 'permissions', 'ranges', 'expires_at', 'replaces', 'replaced_by'],
  },
  webhook: {
    acts: ['created', 'edited', 'rotated', 'paused', 'resumed', 'removed'],
    fields: ['url', 'event_types'],
  },
  webhook_test: { acts: ['sent'] },
};

/** Returns the event types of one entity, or all of them. */
export const typesOf = (entity: string | null): string[] =>
  Object.entries(activity)
    .filter(([name]) => entity === null || name === entity)
    .flatMap(([name, { acts }]) => acts.map((act) => `${name}.${act}`));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Shows only the end of a CBU, as the settings do. */
const shownValue = (name: string, value: unknown): unknown =>
  name.includes('payout_cbu') && typeof value === 'string' ? `…${value.slice(-4)}` : value;

/** Lists the changes that owners may read in an event. */
export function shownChanges({
  entity,
  data,
}: {
  entity: string;
  data: Record<string, unknown>;
}): AuthoredChange[] {
  const names = activity[entity]?.fields ?? [];
  const keep = (values: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => names.includes(name.replace(/_before$/, '')))
        .map(([name, value]) => [name, shownValue(name, value)]),
    );
  const before = isObject(data.before) ? { before: keep(data.before) } : {};
  return changesIn({ ...keep(data), ...before });
}
