import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { InboundRail, RailPayment, RailTerms } from '../files/format.ts';
import { type IntakeOutcome, takeIn } from '../files/intake.ts';
import type { Source } from '../files/lines.ts';
import { closeFile, type ImportSummary } from '../files/store.ts';
import { type Books, bookLines, type DecidedLine, decideLines } from './book.ts';

export interface ImportParts extends Books {
  base: Base;
}

export interface ImportOrder {
  rail: InboundRail;
  file: Source;
  /** Accepts a file even if another one of its day was imported. */
  sameDay: boolean;
  actor: Actor;
}

export type ImportOutcome = IntakeOutcome<ImportSummary>;

/** Imports a file of payments. Collects each payment once, or puts it into suspense. */
export async function importFile(
  parts: ImportParts,
  { rail, ...from }: ImportOrder,
  terms: RailTerms,
): Promise<ImportOutcome> {
  const { base } = parts;
  const order = { rail: rail.name, createReader: () => rail.createReader(terms), ...from };
  return await takeIn<RailPayment, DecidedLine, ImportSummary>(base, order, {
    lock: `rail ${rail.name}`,
    async decide(file, payments, underWay) {
      const beingPaid = underWay.flatMap(({ request }) => (request ? [request.id] : []));
      return await decideLines(base.sql, file, payments, new Set(beingPaid));
    },
    apply: (lines) => bookLines(parts, rail, lines),
    close: (id, noting) => closeFile(base.sql, noting, id),
  });
}
