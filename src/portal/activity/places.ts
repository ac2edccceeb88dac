import type { ActivityEvent } from '../../events/http.ts';
import { mandatePath } from '../mandates/places.ts';

/** Ids of the webhooks and members that still have a page. */
export interface Existing {
  webhooks: ReadonlySet<number>;
  members: ReadonlySet<number>;
}

const path = (folder: string, id: string): string => `${folder}/${encodeURIComponent(id)}`;

/** Returns the path of the page of the event's entity, or null if it has none. */
export function placeOf(
  { entity, entity_id: id, type, data }: ActivityEvent,
  { webhooks, members }: Existing,
): string | null {
  const webhookPage = (hook: number) => (webhooks.has(hook) ? `/webhooks/${hook}` : '/webhooks');
  switch (entity) {
    case 'payment_request':
      return path('/requests', id);
    case 'debit_request':
    case 'card_debit_request':
      return path('/debits', id);
    case 'qr':
      return path('/qr', id);
    case 'static_qr':
      return path('/qr/static', id);
    case 'qr_batch':
      // A call that creates several QRs has no page of its own.
      return type === 'qr_batch.saved' ? '/qr' : path('/qr/uploads', id);
    case 'adhesion':
    case 'card_adhesion':
      return mandatePath({ kind: entity, id: Number(id) });
    case 'import':
      return path('/imports', id);
    case 'proposal':
      return data.kind === 'refund' ? path('/refunds/proposals', id) : '/money';
    case 'payout':
      return '/money/payouts';
    case 'correction':
      return '/money';
    case 'account':
      return type === 'account.mails_changed' ? '/settings/mails' : '/settings';
    case 'membership':
      return members.has(Number(id)) ? path('/settings/users', id) : '/settings/users';
    case 'api_key':
      return '/integrations';
    case 'webhook':
      return webhookPage(Number(id));
    case 'webhook_test':
      return webhookPage(Number(data.webhook_id));
    default:
      return null;
  }
}
