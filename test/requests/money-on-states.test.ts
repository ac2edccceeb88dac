import { describe, expect, test } from 'vitest';
import { type RequestKind, transitions } from '../../src/requests/index.ts';

const kinds = Object.keys(transitions) as RequestKind[];

const statesOf = (kind: RequestKind): string[] => [
  ...new Set(Object.values(transitions[kind]).flatMap(({ from, to }) => [...from, to])),
];

describe('money that arrives', () => {
  test.each(kinds)('moves a %s in any state to paid when money is received', (kind) => {
    const { from, to } = transitions[kind].collect;
    expect(to).toBe('paid');
    expect([...from, to].toSorted()).toEqual(statesOf(kind).toSorted());
  });

  test.each(kinds)('moves a %s to paid only with received money', (kind) => {
    const moves = Object.entries(transitions[kind]).filter(([, { to }]) => to === 'paid');
    expect(moves.map(([name]) => name)).toEqual(['collect']);
  });
});
