import { readLsn } from './lsn.ts';

/** A timeline that another one came from, and where it was left. */
export interface Branch {
  timeline: number;
  end: bigint;
}

/** Reads a history file of PostgreSQL: lines of timeline, place and reason. */
export function readBranches(text: string): Branch[] {
  const lines = text.split('\n').map((line) => /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line));
  return lines.flatMap((line) => {
    const [, timeline = '', end = ''] = line ?? [];
    return line ? [{ timeline: Number(timeline), end: readLsn(end) }] : [];
  });
}
