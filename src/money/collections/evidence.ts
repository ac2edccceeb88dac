import { type Evidence, stampedFacts } from '../../seals/index.ts';
import type { ResultRow } from './result.ts';

const touchedResults = `
  select account_id, (data->>'request_result_id')::bigint from touched
  where data->>'request_result_id' is not null
  union all
  select account_id, value::bigint from (
    select account_id, data from touched where type like '%.payer_erased'
  ) as erased, json_array_elements_text(coalesce(data->'request_result_ids', '[]'))`;

/**
 * Stamps a result's identity and amount. The audit compares the rest with journals, events and
 * terms.
 */
export const stampedResults = stampedFacts<ResultRow>(
  'result',
  'results',
  ['request_id', 'type', 'channel', 'amount', 'reverses_id', 'source', 'source_ref'],
  'informed_at',
);

/**
 * Sealed columns of a result. Later changes to its money (`unreleased`, `released_on`, `refunded`,
 * `charged_back`) are recomputed from journals and later results instead.
 */
export const resultEvidence: Evidence = {
  kind: 'result',
  from: 'results',
  key: { id: 'bigint' },
  columns: [
    'request_id',
    'kind',
    'type',
    'channel',
    'channel_label',
    'amount',
    'net_fee',
    'fee_iva',
    'withheld',
    'paid_at',
    'informed_at',
    'informed_on',
    'available_on',
    'reverses_id',
    'source',
    'source_ref',
    'reference',
    'payer',
    'description',
    'details::text',
  ],
  later: ['promised_on'],
  touched: touchedResults,
  strict: true,
  stamped: stampedResults,
};

/** Withholdings of collections, and the parts that reversals returned. */
export const withheldEvidence: Evidence = {
  kind: 'withholding',
  from: 'withholdings',
  key: { result_id: 'bigint', no: 'smallint' },
  columns: [
    'request_id',
    'regime',
    'jurisdiction',
    'base',
    'rate_ppm',
    'amount',
    'certificate',
    'informed_on',
  ],
  touched: `
    select account_id, w.result_id, w.no from touched
    join withholdings w using (account_id)
    where w.result_id = (data->>'request_result_id')::bigint`,
  strict: true,
};
