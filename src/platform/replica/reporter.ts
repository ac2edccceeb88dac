import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Standing } from './standing.ts';

/** Hysteresis: number of checks before reporting trouble and before reporting its end. */
const looksOfTrouble = 4;
const looksOfPeace = 10;

type Known = Exclude<Standing, { kind: 'unknown' }>;

const words: Record<Exclude<Known['kind'], 'in use'>, string> = {
  lagging: 'the replica lags behind: reads go to the primary',
  away: 'the replica is unreachable: reads go to the primary',
  'no standby': 'DATABASE_READ_URL is not a standby: it was promoted, or is the primary itself',
  'another database': 'DATABASE_READ_URL is another database, or diverged from the primary',
};

/** Returns true for states that waiting does not fix, which are reported at once. */
const lies = (kind: Known['kind']): boolean => kind === 'no standby' || kind === 'another database';

/** Logs a replica's changes of state, one line each, and measures them. */
export function createReporter({ log, metrics }: { log: Log; metrics: Metrics }) {
  let reported: Known['kind'] | null = null;
  let current: Known['kind'] | null = null;
  let looks = 0;

  const tell = (standing: Known): void => {
    const { kind } = standing;
    if (kind === reported) return;
    const enough =
      reported === null || lies(kind) ? 1 : kind === 'in use' ? looksOfPeace : looksOfTrouble;
    if (looks < enough) return;
    reported = kind;
    if (kind === 'in use') log.info('the replica serves reports, exports, lists and the feed');
    else if (lies(kind)) log.error(words[kind]);
    else if (kind === 'lagging')
      log.warn({ lagMs: standing.lagMs && Math.round(standing.lagMs) }, words[kind]);
    else log.warn({ reason: (standing as { message: string }).message }, words.away);
  };

  return (standing: Standing): void => {
    // The replica has a mark that this process has not seen on the primary yet, so nothing is
    // known.
    if (standing.kind === 'unknown') return;
    looks = standing.kind === current ? looks + 1 : 1;
    current = standing.kind;
    metrics.replicaInUse.set(standing.kind === 'in use' ? 1 : 0);
    if ('lagMs' in standing && standing.lagMs !== null) {
      metrics.replicaLag.set(standing.lagMs / 1_000);
    }
    tell(standing);
  };
}
