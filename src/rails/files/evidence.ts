import { operatorBooks } from '../../accounts/index.ts';
import type { Evidence } from '../../seals/index.ts';

/** Digest of an imported file's lines, by the columns that never change after the import. */
const lines = `(
  select encode(sha256(convert_to(string_agg(row(l.line, l.outcome, l.remarks, l.account_id,
    l.request_id, l.code, l.amount, l.paid_at, l.reject_code, l.note)::text, ';' order by l.line),
    'UTF8')), 'hex')
  from rail_lines l where l.file_id = f.id and f.state = 'imported')`;

/** An imported or exported file, sealed with the operator's books. */
export const railFileEvidence: Evidence = {
  kind: 'file',
  from: `(
    select '${operatorBooks}'::text as account_id, f.id, f.rail, f.direction, f.name, f.file_date,
      encode(f.sha256, 'hex') as sha256, f.state, f.lines, f.total, f.summary::text as summary,
      f.created_at, ${lines} as content
    from rail_files f)`,
  key: { id: 'bigint' },
  columns: [
    'rail',
    'direction',
    'name',
    'file_date',
    'sha256',
    'state',
    'lines',
    'total',
    'summary',
    'created_at',
    'content',
  ],
  touched: `select account_id, entity_id::bigint from touched where entity = 'rail_file'`,
  strict: true,
  joined: true,
};
