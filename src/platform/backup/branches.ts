import { readLsn } from './lsn.ts';

/** An ancestor of a timeline, and the position where the next timeline leaves it. */
export interface Branch {
  timeline: number;
  end: bigint;
}

/** Parses a timeline history file of PostgreSQL: lines of timeline, position and reason. */
export function readBranches(text: string): Branch[] {
  const lines = text.split('\n').map((line) => /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line));
  return lines.flatMap((line) => {
    const [, timeline = '', end = ''] = line ?? [];
    return line ? [{ timeline: Number(timeline), end: readLsn(end) }] : [];
  });
}

/**
 * Returns an ancestor's history file, which is the beginning of a timeline's file. Returns null if
 * the timeline does not descend from it.
 */
export function historyWithin(text: string, ancestor: number): string | null {
  const lines = text.split('\n');
  const own = lines.findIndex((line) => readBranches(line)[0]?.timeline === ancestor);
  return own < 0
    ? null
    : lines
        .slice(0, own)
        .map((line) => `${line}\n`)
        .join('');
}
