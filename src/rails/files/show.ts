import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { type LineQuery, readRemarkedLines } from './named.ts';
import { type RailLine, readFile } from './store.ts';

/**
 * Returns a page of a file's lines that the operator should check. Throws 404 for an unknown file.
 */
export async function showFile(sql: Queryable, query: LineQuery): Promise<RailLine[]> {
  if (!(await readFile(sql, query.fileId))) throw refusal('file.not_found', {});
  return await readRemarkedLines(sql, query);
}
