import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A plausible mistake, as a change at one place in one file. */
export interface Fault {
  id: string;
  file: string;
  /** Must occur exactly once in the file, unless `offset` gives its place. */
  before: string;
  after: string;
  /** The harm to a user if the fault shipped, in one line. */
  hurts: string;
  /** Test files and folders that should fail, likeliest first. */
  guards: string[];
  /** Tests of the code's callers, which run if the guards all pass. */
  wider?: string[];
  /**
   * True if the fault stops the clock for all later work, so tests of other faults would fail too.
   */
  alone?: boolean;
  /** Offset of `before` in the file. */
  offset?: number;
}

export async function readFaults(root: string): Promise<Fault[]> {
  return JSON.parse(await readFile(path.join(root, 'tools/mutants/faults.json'), 'utf8'));
}

/**
 * Returns `text` with the fault planted. Returns null unless its place occurs exactly once, or at
 * `offset`.
 */
export function planted(text: string, { before, after, offset }: Fault): string | null {
  const start = text.indexOf(before, offset);
  const isPlace = offset === undefined ? text.indexOf(before, start + 1) === -1 : start === offset;
  if (start === -1 || !isPlace) return null;
  return text.slice(0, start) + after + text.slice(start + before.length);
}

/**
 * Runs `work` with the faults planted in a tree, and restores the files. Throws if a place is
 * missing.
 */
export async function withFaults<T>(
  root: string,
  faults: readonly Fault[],
  work: () => Promise<T>,
): Promise<T> {
  const sound = new Map<string, string>();
  try {
    for (const fault of faults) {
      const file = path.join(root, fault.file);
      const text = await readFile(file, 'utf8');
      if (!sound.has(file)) sound.set(file, text);
      const faulty = planted(text, fault);
      if (faulty === null) throw new Error(`${fault.file} has no single place for ${fault.id}`);
      await writeFile(file, faulty);
    }
    return await work();
  } finally {
    for (const [file, text] of sound) await writeFile(file, text);
  }
}

/** True if the test file guards against the fault. */
export const guards = (fault: Fault, test: string): boolean =>
  fault.guards.some((guard) => test === guard || test.startsWith(`${guard}/`));

const overlap = (one: Fault, other: Fault): boolean =>
  one.alone === true ||
  other.alone === true ||
  one.guards.some((guard) => guards(other, guard)) ||
  other.guards.some((guard) => guards(one, guard));

/** Groups up to `most` faults with disjoint guards, so that a failed test identifies its fault. */
export function batchesOf(faults: readonly Fault[], most: number): Fault[][] {
  const batches: Fault[][] = [];
  for (const fault of faults) {
    const fits = batches.find(
      (batch) => batch.length < most && !batch.some((other) => overlap(fault, other)),
    );
    if (fits) fits.push(fault);
    else batches.push([fault]);
  }
  return batches;
}
