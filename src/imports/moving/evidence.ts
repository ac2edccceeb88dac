import { isoDateTime, midnightOf, parseDayOrIso, readMoment } from '../../kernel/dates.ts';
import { hasControl, lengthOf } from '../../kernel/text.ts';
import type { SignedElsewhere } from '../../mandates/index.ts';
import type { FoundFault } from '../../platform/errors.ts';
import { fault } from '../codes.ts';
import { faultAt, type OpenRow } from './row.ts';

const longestText = 20_000;
const longestCircumstance = 500;

/** Parses a day, or an instant with its offset. */
function momentOf(value: unknown): Temporal.Instant | null {
  if (typeof value !== 'string') return null;
  const day = parseDayOrIso(value.trim());
  if (day !== null) return midnightOf(day);
  try {
    return readMoment(value.trim());
  } catch {
    return null;
  }
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' &&
  value.isWellFormed() &&
  lengthOf(value) <= most &&
  !hasControl(value, { lineBreaks: true });

const textOfList = ({ oldId }: OpenRow, signedAt: Temporal.Instant): string =>
  `Signed with the former provider as its mandate ${oldId}, on ${isoDateTime(signedAt)}. ` +
  'Its list of mandates is the source; the signed text stays with that provider.';

/**
 * Reads a mandate's evidence. A CSV file contains the signed text. For a JSON list, a text that
 * names the former mandate stands in for it.
 */
export function readEvidence(
  row: OpenRow,
  now: Temporal.Instant,
): { faults: FoundFault[]; signed: Omit<SignedElsewhere, 'input'> | null } {
  const { sent } = row;
  const isCsv = 'evidence_text' in sent;
  const signedAt = momentOf(isCsv ? sent.signed_at : (sent.signed_at ?? sent.created_at));
  const isPast = signedAt !== null && Temporal.Instant.compare(signedAt, now) <= 0;
  const text = isCsv ? sent.evidence_text : textOfList(row, signedAt ?? now);
  const circumstances = ['evidence_address', 'evidence_user_agent'] as const;
  const faults = [
    ...(isPast ? [] : [faultAt(['signed_at'], fault('import.signed_at_invalid', {}))]),
    ...(isText(text, longestText) && text.trim() !== ''
      ? []
      : [faultAt(['evidence_text'], fault('import.evidence_text_invalid', { most: longestText }))]),
    ...circumstances
      .filter((name) => !isText(sent[name] ?? '', longestCircumstance))
      .map((name) =>
        faultAt([name], fault('import.evidence_too_long', { most: longestCircumstance })),
      ),
  ];
  if (faults.length > 0 || signedAt === null) return { faults, signed: null };
  const evidence = {
    at: isoDateTime(signedAt),
    address: String(sent.evidence_address ?? ''),
    user_agent: String(sent.evidence_user_agent ?? ''),
    text: String(text),
  };
  return { faults, signed: { evidence, signedAt } };
}
