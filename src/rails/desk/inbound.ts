import type { Actor } from '../../platform/actor.ts';
import { Refusal } from '../../platform/errors.ts';
import { type DebitBooks, type DebitChunk, movingIn, readDebits } from '../debits/book.ts';
import type { DebitRailTerms } from '../debits/debit.ts';
import { inboundDebits } from '../debits/formats.ts';
import { importDebits } from '../debits/import.ts';
import { type CheckedFile, checkFile, itemsOf } from '../files/content.ts';
import { LineFault } from '../files/fault.ts';
import type { LineReader, RailTerms } from '../files/format.ts';
import type { IntakeOutcome } from '../files/intake.ts';
import { readLines, type Source } from '../files/lines.ts';
import type { AnySummary, RailLine } from '../files/store.ts';
import { readPayments } from '../payments/book.ts';
import { inboundRails } from '../payments/formats.ts';
import { type ImportParts, importFile } from '../payments/import.ts';

/** Identifiers of a deployment at networks and banks, and the business day. */
export type DeskTerms = RailTerms & DebitRailTerms;

export interface InboundParts {
  books: DebitBooks & Pick<ImportParts, 'record'>;
  terms(): DeskTerms;
}

export interface TakeOrder {
  file: Source;
  sameDay: boolean;
  actor: Actor;
}

export interface Inbound {
  name: string;
  title: string;
  /** Throws LineFault, or a Refusal if our identifier at the sender is not configured. */
  begin(): LineReader<unknown>;
  check(file: Source): Promise<CheckedFile>;
  /** Yields the outcomes that the lines would have. Writes nothing. */
  lines(file: Source, checked: CheckedFile): AsyncGenerator<RailLine[]>;
  take(order: TakeOrder): Promise<IntakeOutcome<AnySummary>>;
}

export function inboundOf({ books, terms }: InboundParts): Inbound[] {
  const { base } = books;
  const payments = inboundRails.map(
    (rail): Inbound => ({
      name: rail.name,
      title: rail.title,
      begin: () => rail.createReader(terms()),
      check: (file) => checkFile(rail.createReader(terms()), file),
      async *lines(file, checked) {
        const paid = new Set<number>();
        for await (const items of itemsOf(rail.createReader(terms()), file, checked)) {
          const { lines } = await readPayments(base.sql, 0, items, paid);
          for (const { request } of lines) if (request) paid.add(request.id);
          yield lines;
        }
      },
      take: (order) => importFile(books, { rail, ...order }, terms()),
    }),
  );
  const debits = inboundDebits.map(
    (rail): Inbound => ({
      name: rail.name,
      title: rail.title,
      begin: () => rail.createReader(terms()),
      check: (file) => checkFile(rail.createReader(terms()), file),
      async *lines(file, checked) {
        const placeholder = { id: 0, file_date: checked.date };
        const earlier: DebitChunk['earlier'] = new Map();
        const items = () => itemsOf(rail.createReader(terms()), file, checked);
        const moving = await movingIn(books, rail, items());
        for await (const some of items()) {
          yield await readDebits(books, rail, {
            file: placeholder,
            items: some,
            earlier,
            moving,
          });
        }
      },
      take: (order) => importDebits(books, { rail, ...order }, terms()),
    }),
  );
  return [...payments, ...debits];
}

async function firstLine(file: Source): Promise<string> {
  for await (const { lines } of readLines(file)) return lines[0] ?? '';
  return '';
}

/** Returns true if a file begins like those of a rail. */
function beginsAs(one: Inbound, line: string): boolean {
  try {
    one.begin().read(line);
    return true;
  } catch (error) {
    if (error instanceof LineFault || error instanceof Refusal) return false;
    throw error;
  }
}

/** A completely read file and its rail. */
export interface RecognizedFile {
  rail: Inbound;
  checked: CheckedFile;
}

/**
 * Finds a file's rail by its first line, then reads the whole file. Throws the fault of the first
 * rail with a matching first line. Returns null if no rail matches.
 */
export async function recognize(
  all: readonly Inbound[],
  file: Source,
): Promise<RecognizedFile | null> {
  const line = await firstLine(file);
  let fault: unknown = null;
  for (const rail of all.filter((one) => beginsAs(one, line))) {
    try {
      return { rail, checked: await rail.check(file) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      fault ??= error;
    }
  }
  if (fault !== null) throw fault;
  return null;
}
