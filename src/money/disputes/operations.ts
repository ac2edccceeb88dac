import { listing } from '../../platform/listings.ts';
import type { DisputeRow } from './dispute.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Lists payments that their payers dispute with the issuer. */
export const disputeList = listing({
  name: 'dispute.list',
  act: 'requests.see',
  account: 'optional',
  texts: { en, es },
  async read(sql, { account: accountId, ...part }) {
    const { listDisputes } = await import('./store-reads.ts');
    return await listDisputes(sql, { ...part, accountId });
  },
  columns: {
    id: { kind: 'text', of: (row: DisputeRow) => row.id },
    account: { kind: 'text', of: (row) => row.account_id },
    request: { kind: 'text', of: (row) => row.request_id },
    attempt: { kind: 'text', of: (row) => row.attempt_id },
    connector: { kind: 'text', of: (row) => row.connector },
    name: { kind: 'code', of: (row) => row.name },
    state: { kind: 'choice', of: (row) => row.state },
    amount: { kind: 'money', of: (row) => row.amount },
    taken: { kind: 'money', of: (row) => row.taken },
    evidence_due_at: { kind: 'moment', of: (row) => row.evidence_due_at },
    reason: { kind: 'text', of: (row) => row.reason },
    opened_at: { kind: 'moment', of: (row) => row.opened_at },
    changed_at: { kind: 'moment', of: (row) => row.changed_at },
  },
});
