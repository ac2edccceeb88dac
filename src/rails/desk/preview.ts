import { type Centavos, plus, zero } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { CheckedFile } from '../files/content.ts';
import type { Source } from '../files/lines.ts';
import { findFile, findSibling, type RailFile, type RailLine } from '../files/store.ts';
import type { Inbound } from './inbound.ts';

/** Maximum number of lines with remarks in a preview. */
const mostRemarked = 100;

export interface OutcomeCount {
  outcome: RailLine['outcome'];
  lines: number;
  total: Centavos;
}

/** The effect that an import would have. */
export interface Preview {
  date: Temporal.PlainDate;
  lines: number;
  total: Centavos;
  /**
   * An earlier file with the same content. Importing again changes nothing, or resumes an
   * interrupted import.
   */
  known: RailFile | null;
  /** The first other file of the same day. Null if this content is `known`. */
  sibling: RailFile | null;
  outcomes: OutcomeCount[];
  remarked: RailLine[];
  remarkedCount: number;
}

function counted(counts: Map<string, OutcomeCount>, { outcome, amount }: RailLine): void {
  const before = counts.get(outcome) ?? { outcome, lines: 0, total: zero };
  counts.set(outcome, { outcome, lines: before.lines + 1, total: plus(before.total, amount) });
}

/** Previews a file with the rules of an import. Writes nothing. */
export async function previewOf(
  sql: Queryable,
  rail: Inbound,
  file: Source,
  checked: CheckedFile,
): Promise<Preview> {
  const { date, lines, total, sha256 } = checked;
  const known = await findFile(sql, { rail: rail.name, direction: 'in', sha256 });
  const sibling = await findSibling(sql, { rail: rail.name, file_date: date });
  const summary = { date, lines, total, known, sibling: known ? null : sibling };
  if (known?.state === 'imported') {
    return { ...summary, outcomes: [], remarked: [], remarkedCount: 0 };
  }
  const counts = new Map<string, OutcomeCount>();
  const remarked: RailLine[] = [];
  let remarkedCount = 0;
  for await (const chunk of rail.lines(file, checked)) {
    for (const line of chunk) {
      counted(counts, line);
      if (line.remarks.length === 0) continue;
      remarkedCount += 1;
      if (remarked.length < mostRemarked) remarked.push(line);
    }
  }
  return { ...summary, outcomes: [...counts.values()], remarked, remarkedCount };
}
