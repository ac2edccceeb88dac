import type { Evidence } from '../../seals/index.ts';
import { standardTerms } from './fees.ts';

const channels = Object.keys(standardTerms).map((channel) => `'${channel}'`);

/** Includes planned terms, because ending terms deletes them. */
export const feeEvidence: Evidence = {
  kind: 'fees of',
  from: `(
    select a.id as account_id, c.channel, (
      select string_agg(row(f.valid_from, f.valid_to, f.percentage_ppm, f.fixed, f.minimum,
        f.available_after_days)::text, ';' order by f.valid_from)
      from fees f where f.account_id = a.id and f.channel = c.channel) as terms
    from accounts a cross join unnest(array[${channels.join(', ')}]) as c (channel))`,
  key: { channel: 'text' },
  columns: ['terms'],
  touched: `select account_id, data->>'channel' from touched where entity = 'fees'`,
  strict: false,
};
