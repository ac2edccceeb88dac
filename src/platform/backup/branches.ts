import { readLsn } from './lsn.ts';

/** Origin of a timeline: its parent, and the position where they diverge. */
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
