import { expect, test } from 'vitest';
import { readLines } from '../../src/rails/files/lines.ts';

const upload = (text: string) => ({ name: 'answers.txt', bytes: Buffer.from(text, 'latin1') });

test('reads more short lines in one piece of a file than a call has room for arguments', async () => {
  let lines = 0;
  const file = upload('x\n\n'.repeat(100_000));
  for await (const group of readLines(file)) lines += group.lines.length;
  expect(lines).toBe(199_999);
});

test('lets the event loop turn after each thousand lines', async () => {
  let turns = 0;
  let timer: NodeJS.Immediate;
  const turn = () => {
    turns += 1;
    timer = setImmediate(turn);
  };
  timer = setImmediate(turn);
  const seen: number[] = [];
  for await (const { lines } of readLines(upload('x\n'.repeat(20_000)))) {
    expect(lines).toHaveLength(1_000);
    seen.push(turns);
  }
  clearImmediate(timer);
  expect(new Set(seen).size).toBe(20);
});
