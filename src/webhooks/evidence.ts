import type { Evidence } from '../seals/index.ts';

/**
 * Covers all of an account's webhooks together, because removed ones are deleted later. Excludes
 * those of a single upload, which end with it.
 */
export const webhookEvidence: Evidence = {
  kind: 'webhooks of',
  from: `(
    select a.id as account_id, a.id, (
      select string_agg(row(w.id, w.url, w.event_types, w.secret_no, w.secret_key_no,
        w.previous_key_no, w.rotated_at, w.created_at, w.held_at, w.holds)::text, ';' order by w.id)
      from webhooks w
      where w.account_id = a.id and coalesce(w.only_entity, w.only_entity_id) is null
        and w.deleted_at is null) as webhooks
    from accounts a)`,
  key: { id: 'text' },
  columns: ['webhooks'],
  touched: `select account_id, account_id from touched where entity = 'webhook'`,
  strict: false,
  joined: true,
};
