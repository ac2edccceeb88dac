import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { type LineQuery, readRemarkedLines } from './named.ts';
import { type RailLine, readFile } from './store.ts';

/** Lines of an imported file that the operator is to look at. Refuses a file that is not there. */
export async function showFile(sql: Queryable, query: LineQuery): Promise<RailLine[]> {
  if (!(await readFile(sql, query.fileId))) throw refusal('file.not_found', {});
  return await readRemarkedLines(sql, query);
}
