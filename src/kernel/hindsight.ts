/** When something was known: from a moment on, until another replaced it. Null: ever, for good. */
export interface KnownSpan {
  since: Temporal.Instant | null;
  until: Temporal.Instant | null;
}

/** The consequence of the knowledge of some time, as long as it stayed the same. */
export interface Ruling<T> extends KnownSpan {
  ruling: T;
}

const isBy = (moment: Temporal.Instant | null, other: Temporal.Instant): boolean =>
  moment !== null && Temporal.Instant.compare(moment, other) <= 0;

/** The moments at which what is known changed, in order. */
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
 * Returns one ruling for each time in which the knowledge stayed the same, in order. Leaves out
 * what ended by `from`.
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
