import { createHash } from 'node:crypto';

/** Budgets are in seconds of processor time, so a busy machine does not fail a run. */

/** Limits of a run, from `budgets.json` in this folder. */
export interface Budgets {
  /** Budget of files that are not listed, in seconds. */
  fileSeconds: number;
  /** Files with a larger budget, each with a reason. */
  files: Record<string, { seconds: number; reason: string }>;
  /** Seconds of the whole suite at the last recording (`npm run test:slow -- --record`). */
  totalSeconds: number;
  /** Milliseconds of the calibration loop on the machine of that recording. */
  calibrationMs: number;
}

export interface FileSpent {
  file: string;
  seconds: number;
}

interface Over extends FileSpent {
  budget: number;
}

export interface Verdict {
  /** Slowdown factor of this machine relative to the recording one; at least 1. */
  scale: number;
  /** Files over their budgets, worst first. */
  over: Over[];
  /** One line for each reason to fail. */
  failures: string[];
}

/** Multiples that fail the run: of a file's budget, and of the suite's recorded total. */
const most = { file: 2, suite: 1.3 } as const;

const round = (seconds: number): number => Math.round(10 * seconds) / 10;

/** Compares the files' times with their budgets. `whole` is true if the run included every test. */
export function judge(
  spent: readonly FileSpent[],
  { budgets, calibrationMs, whole }: { budgets: Budgets; calibrationMs: number; whole: boolean },
): Verdict {
  const scale = Math.max(1, calibrationMs / budgets.calibrationMs);
  const over = spent
    .map((one) => ({
      ...one,
      budget: scale * (budgets.files[one.file]?.seconds ?? budgets.fileSeconds),
    }))
    .filter(({ seconds, budget }) => seconds > budget)
    .sort((a, b) => b.seconds / b.budget - a.seconds / a.budget);
  const failures = over
    .filter(({ seconds, budget }) => seconds >= most.file * budget)
    .map(
      ({ file, seconds, budget }) =>
        `${file} took ${round(seconds)} s of processor time, at least twice its ${round(budget)} s.`,
    );
  const total = spent.reduce((sum, { seconds }) => sum + seconds, 0);
  const limit = most.suite * scale * budgets.totalSeconds;
  if (whole && total > limit) {
    failures.push(
      `The suite took ${round(total)} s of processor time, at most ${round(limit)} s are allowed. ` +
        'Make it faster, or record it anew with npm run test:slow -- --record.',
    );
  }
  return { scale, over, failures };
}

/** Returns a line for each file over its budget. */
export const overLines = ({ over }: Verdict): string[] =>
  over.map(
    ({ file, seconds, budget }) => `over budget: ${file} ${round(seconds)} s of ${round(budget)} s`,
  );

/** Returns the processor time of a fixed piece of work, in milliseconds: the quickest of five. */
export function calibrate(): number {
  const bytes = Buffer.alloc(1 << 20, 7);
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < 20; turn += 1) createHash('sha512').update(bytes).digest();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...rounds);
}
