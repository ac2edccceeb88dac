/**
 * Time span in which a value was known: from an instant until another value replaced it. Null is
 * unbounded.
 */
export interface KnownSpan {
  since: Temporal.Instant | null;
  until: Temporal.Instant | null;
}

/** A decision that follows from what was known in a span. */
export interface Ruling<T> extends KnownSpan {
  ruling: T;
}

const isBy = (moment: Temporal.Instant | null, other: Temporal.Instant): boolean =>
  moment !== null && Temporal.Instant.compare(moment, other) <= 0;

const changesOf = (rows: readonly KnownSpan[]): Temporal.Instant[] =>
  rows
    .flatMap(({ since, until }) => [since, until])
    .filter((moment) => moment !== null)
    .sort(Temporal.Instant.compare)
    .filter((moment, index, all) => index === 0 || !all[index - 1]?.equals(moment));

const knownAt = <Row extends KnownSpan>(
  rows: readonly Row[],
  moment: Temporal.Instant | null,
): Row[] =>
  rows.filter(({ since, until }) =>
    moment === null
      ? since === null
      : (since === null || isBy(since, moment)) && !isBy(until, moment),
  );

/**
 * Returns one ruling for each span of unchanged knowledge, in order. Omits spans that ended by
 * `from`.
 */
export function rulingsOf<Row extends KnownSpan, T>(
  rows: readonly Row[],
  from: Temporal.Instant,
  decide: (known: Row[]) => T,
): Ruling<T>[] {
  const changes = changesOf(rows);
  const starts = [null, ...changes];
  return starts.flatMap((since, index) => {
    const until = changes[index] ?? null;
    return isBy(until, from) ? [] : [{ since, until, ruling: decide(knownAt(rows, since)) }];
  });
}
