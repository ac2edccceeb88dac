import type { Calendar } from '../../calendar/index.ts';
import type { EndMandate } from '../../mandates/index.ts';
import type { RecordFacts } from '../../money/collections/index.ts';
import type { Base } from '../../platform/base.ts';
import { type DebitRow, type DebitRun, mandateKindOf } from '../debit.ts';
import type { DebitTerms } from '../timing.ts';
import { factOf, type RunOutcome } from './fact.ts';
import { type Handling, isOfAccount, rejectCodeOf } from './reject-codes.ts';
import { retryRun, runsAgain } from './retry.ts';
import {
  type Decision,
  endRuns,
  noteCodes,
  readDecisions,
  readRuns,
  type SubmittedRun,
} from './runs.ts';

/**
 * The effect of a report. `waiting`: an interim code. `retried`: it runs again on the second due
 * date. `known`: already decided the same way. `contradicted`: already decided the other way. The
 * decision stays, and a person must check it. `unknown`: no such run, or it was not submitted.
 */
export type Settled =
  | 'paid'
  | 'rejected'
  | 'retried'
  | 'waiting'
  | 'known'
  | 'contradicted'
  | 'unknown';

export type SettleRuns = (outcomes: RunOutcome[]) => Promise<Settled[]>;

interface Parts {
  base: Base;
  recordFacts: RecordFacts;
  endMandate: EndMandate;
  loadCalendar(): Promise<Calendar>;
  terms: DebitTerms;
}

interface Case {
  found: SubmittedRun;
  report: RunOutcome;
  settled: Settled;
  /** True if another call decided the run differently and does the rest. */
  overruled?: boolean;
}

export interface PlannedRun {
  run: Pick<DebitRun, 'no' | 'state'>;
  request: Pick<DebitRow, 'due2' | 'total2'>;
}

const handlingOf = ({ outcome }: Pick<RunOutcome, 'outcome'>): Handling | null =>
  outcome.type === 'paid' ? null : rejectCodeOf(outcome.code, outcome.text).handling;

/** Returns true if a run's record equals the report. */
const isDecision = (decision: Decision | null, outcome: RunOutcome['outcome']): boolean =>
  outcome.type === 'paid'
    ? decision?.type === 'collected'
    : decision?.type === 'rejected' && decision.code === outcome.code;

/** Returns how a report affects a run in its current state. */
export function planRun(found: PlannedRun, report: Pick<RunOutcome, 'outcome'>): Settled {
  if (found.run.state === 'waiting') return 'unknown';
  if (found.run.state === 'done') return 'known';
  const handling = handlingOf(report);
  if (handling === null) return 'paid';
  if (handling === 'wait') return 'waiting';
  return handling === 'retry' && runsAgain(found) ? 'retried' : 'rejected';
}

/**
 * Pairs runs with reports. If one call reports a run more than once, the first report that is not
 * interim counts.
 */
function casesOf(found: (SubmittedRun | null)[], outcomes: RunOutcome[]): (Case | null)[] {
  const decided = new Set<string>();
  return outcomes.map((report, index) => {
    const one = found[index];
    if (!one) return null;
    const name = `${report.accountId} ${report.requestId} ${report.runNo}`;
    const settled = decided.has(name) ? 'known' : planRun(one, report);
    if (settled !== 'waiting') decided.add(name);
    return { found: one, report, settled };
  });
}

const keyOf = ({ report }: Case) => report;
const runOf = ({ found }: Case): DebitRun => found.run;

/**
 * Settles many runs, each once however often it is reported. Money and refusals become results,
 * insufficient funds start the second run, and codes of closed accounts or services end the
 * mandate. Repeat the call after a crash to finish the rest.
 */
export function settleRuns(parts: Parts): SettleRuns {
  const { base, recordFacts, endMandate } = parts;
  const { sql } = base;
  const retry = retryRun(parts);

  const close = async ({ found: { request, run, instrumentNo }, report }: Case): Promise<void> => {
    if (report.outcome.type !== 'rejected') return;
    const { code, text } = report.outcome;
    const known = rejectCodeOf(code, text);
    if (known.handling !== 'close') return;
    const isOfSent = instrumentNo !== null && isOfAccount(code);
    if (isOfSent && report.moves) return;
    await endMandate({
      key: { accountId: run.account_id, kind: mandateKindOf[run.kind], id: request.mandate_id },
      move: 'cancel',
      comment: `${code}: ${known.text}`,
      actor: report.actor,
      evidence: null,
      // The mandate may have moved to another account since the run was submitted.
      ...(isOfSent && { instrumentNo }),
    });
  };

  /** Compares reports about decided runs with their records. */
  const compare = async (known: Case[]): Promise<void> => {
    if (known.length === 0) return;
    const decisions = await readDecisions(sql, known.map(keyOf));
    for (const [index, one] of known.entries()) {
      const decision = decisions[index] ?? null;
      const { outcome } = one.report;
      // An interim code does not contradict the decision.
      if (handlingOf(one.report) === 'wait') continue;
      const type = outcome.type === 'paid' ? 'collected' : 'rejected';
      one.overruled = !isDecision(decision ?? null, outcome);
      // Without a result, the debit was canceled, which a refusal does not contradict.
      if ((decision?.type ?? 'rejected') !== type) one.settled = 'contradicted';
      // Possibly recorded before a crash but not finished.
      else if (outcome.type === 'rejected' && outcome.code === decision?.code) await close(one);
    }
  };

  const decide = async (cases: Case[]): Promise<void> => {
    const recorded = await recordFacts(cases.map(({ found, report }) => factOf(found, report)));
    for (const [index, one] of cases.entries()) {
      if (recorded[index]?.outcome === 'known') one.settled = 'known';
      else await close(one);
    }
  };

  /**
   * Records first runs' refusals and starts their second runs, also after a crash in between. A run
   * that another call decided differently becomes `known`.
   */
  const tryAgain = async (cases: Case[]): Promise<void> => {
    const facts = cases.map(({ found, report }) => ({ ...factOf(found, report), again: true }));
    const recorded = await recordFacts(facts);
    const decisions = await readDecisions(sql, cases.map(keyOf));
    for (const [index, one] of cases.entries()) {
      const ours =
        recorded[index]?.outcome === 'recorded' ||
        isDecision(decisions[index] ?? null, one.report.outcome);
      if (!ours || !(await retry(one.found, one.report))) one.settled = 'known';
    }
  };

  return async (outcomes) => {
    const cases = casesOf(await readRuns(sql, outcomes), outcomes);
    const all = cases.filter((one) => one !== null);
    const those = (...kinds: Settled[]) => all.filter(({ settled }) => kinds.includes(settled));
    const decided = those('paid', 'rejected');
    if (decided.length > 0) await decide(decided);
    const retried = those('retried');
    if (retried.length > 0) await tryAgain(retried);
    await compare(those('known'));
    // Last, because until then a repeated call redoes all steps, each of which takes effect once.
    const ended = decided.filter(({ overruled }) => overruled !== true);
    if (ended.length > 0) await endRuns(sql, ended.map(runOf));
    const waiting = those('waiting').flatMap(({ report: { outcome, ...key } }) =>
      outcome.type === 'rejected' ? [{ ...key, code: outcome.code }] : [],
    );
    if (waiting.length > 0) await noteCodes(sql, waiting);
    return cases.map((one) => one?.settled ?? 'unknown');
  };
}
