import path from 'node:path';
import { formatDay } from '../../kernel/dates.ts';
import { type Centavos, sumOf } from '../../kernel/money.ts';
import { allows, payableOn } from '../../payment-requests/index.ts';
import type { Base } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import type { LineWriter, OutboundRail, RailTerms } from '../files/format.ts';
import { whole, writeLines } from '../files/output.ts';
import { keepFile, type RailFile } from '../files/store.ts';

export interface ExportOrder {
  rail: OutboundRail;
  date: Temporal.PlainDate;
  /** Where the files go. */
  directory: string;
}

export interface ExportOutcome {
  file: RailFile;
  /** Their paths. */
  written: string[];
}

interface Written {
  sha256: Buffer;
  lines: number;
  total: Centavos;
}

/** Writes what the channel may collect, line by line. */
async function writePayable(
  { sql }: Base,
  { rail, date }: ExportOrder,
  { today }: RailTerms,
  { writer, target }: { writer: LineWriter; target: string },
): Promise<Written> {
  let lines = 0;
  let total = 0 as Centavos;
  const sha256 = await writeLines(target, async (put) => {
    await put([writer.head()]);
    for await (const rows of payableOn(sql, date, today)) {
      const allowed = rows.filter(({ request }) => allows(request, rail.channel));
      lines += allowed.length;
      total = sumOf([total, ...allowed.map(({ request }) => request.total1)]);
      await put(allowed.map((row) => writer.line(row)));
    }
    await put([writer.tail()]);
  });
  return { sha256, lines, total };
}

/**
 * Publishes what can be paid on a day, as it stood when the day began: the same day gives the same
 * bytes, however often it is written.
 */
export async function exportFile(
  base: Base,
  order: ExportOrder,
  terms: RailTerms,
): Promise<ExportOutcome> {
  const { rail, date, directory } = order;
  if (Temporal.PlainDate.compare(date, terms.today) > 0) {
    const today = formatDay(terms.today);
    throw new Refusal('invalid', `A publication is of today, ${today}, or of an earlier day.`);
  }
  const writer = rail.open(terms, date);
  const main = path.join(directory, writer.name);
  const content = await whole(main, async (part) => {
    try {
      return await writePayable(base, order, terms, { writer, target: part });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Refusal('invalid', `This does not fit a file of ${rail.name}: ${error.message}`);
    }
  });
  const companion = writer.companion();
  const written = [main];
  if (companion) {
    const beside = path.join(directory, companion.name);
    await whole(beside, (part) => writeLines(part, (put) => put(companion.lines)));
    written.push(beside);
  }
  const file = await keepFile(base.sql, {
    id: await base.recordIds.next(),
    rail: rail.name,
    direction: 'out',
    name: writer.name,
    file_date: date,
    state: 'exported',
    created_at: base.clocks.business.now(),
    ...content,
  });
  return { file, written };
}
