import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { LocalizedText } from '../../language/localized-text.ts';
import type { Refusal } from '../../platform/errors.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import { workDone } from '../../platform/progress.ts';
import { fault, refusal } from './codes.ts';
import { isFault, quoted, type RateLine, rateColumns, readLine } from './line.ts';

/** A register file loaded into a temporary table. */
export interface Staged {
  lines: number;
  sha256: Buffer;
}

const mostFaults = 20;
const chunkLength = 65_536;
const mostRecordBytes = 4_096;

const refused = (...faults: LocalizedText[]): Refusal => refusal('register.invalid', { faults });

/** Escapes the backslash for COPY. Control characters are rejected earlier. */
const copied = (text: string): string => text.replaceAll('\\', '\\\\');

const copyText = (line: number, read: RateLine): string =>
  [
    line,
    read.cuit,
    copied(read.regime),
    copied(read.jurisdiction),
    read.ratePpm,
    read.validFrom,
    read.validTo ?? '\\N',
  ].join('\t');

function checkHeader(fields: readonly string[]): void {
  if (fields.join() === rateColumns.join()) return;
  const columns = rateColumns.join();
  throw refused(fault('register.header', { stood: quoted(fields.join()), columns }));
}

/** Converts records to COPY text. Throws 400 with the faults, at most 20. */
async function* copyTexts(records: AsyncIterable<string[]>, done: (lines: number) => void) {
  const faults: LocalizedText[] = [];
  let line = 0;
  let lastReported = 0;
  let chunk = '';
  for await (const fields of records) {
    line += 1;
    if (line === 1) {
      checkHeader(fields);
      continue;
    }
    const read = readLine(fields, line);
    if (isFault(read)) faults.push(read);
    else chunk += `${copyText(line, read)}\n`;
    if (faults.length >= mostFaults) throw refused(...faults);
    if (chunk.length >= chunkLength) {
      yield chunk;
      workDone(line - lastReported);
      lastReported = line;
      chunk = '';
    }
  }
  if (faults.length > 0) throw refused(...faults);
  if (line < 2) throw refusal('register.empty', {});
  done(line - 1);
  yield chunk;
}

const csv = () =>
  parse({
    bom: true,
    delimiter: [',', ';'],
    record_delimiter: ['\n', '\r\n'],
    relax_column_count: true,
    trim: true,
    max_record_size: mostRecordBytes,
  });

/** Converts errors about mismatched quotes and endless lines to refusals. */
function fromCsv(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  return refused(fault('register.not_csv', { line: Number(error.lines), most: mostRecordBytes }));
}

/** Throws 400 for duplicate lines, which may be a mistake. */
async function refuseDoubles(tx: Transaction): Promise<void> {
  const doubles = await tx<{ line: number; first: number; cuit: string }[]>`
    select max(line) as line, min(line) as first, cuit from taxpayer_rate_lines
    group by cuit, regime, jurisdiction, valid_from having count(*) > 1
    order by 1 limit ${mostFaults}`;
  if (doubles.length === 0) return;
  throw refused(
    ...doubles.map(({ line, first, cuit }) =>
      fault('register.repeated', { line, first, stood: quoted(cuit) }),
    ),
  );
}

/**
 * Streams a register file of any size into the table `taxpayer_rate_lines` of this transaction.
 * Throws 400 with up to 20 faulty lines: each with its column, its text and the allowed values.
 */
export async function stageRates(tx: Transaction, file: string): Promise<Staged> {
  await tx`
    create temporary table taxpayer_rate_lines (line integer, cuit text, regime text, jurisdiction text,
      rate_ppm integer, valid_from date, valid_to date) on commit drop`;
  const hash = createHash('sha256');
  let lines = 0;
  async function* bytes() {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const texts = (records: AsyncIterable<string[]>) =>
    copyTexts(records, (count) => {
      lines = count;
    });
  const copy = await tx`copy taxpayer_rate_lines from stdin`.writable();
  try {
    await pipeline(bytes, csv(), texts, copy);
  } catch (error) {
    throw fromCsv(error);
  }
  await tx`analyze taxpayer_rate_lines`;
  await refuseDoubles(tx);
  return { lines, sha256: hash.digest() };
}
