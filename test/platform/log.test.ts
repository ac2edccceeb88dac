import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';

const answered = {
  time: 1_795_000_000_000,
  requestId: '05c34655-cd9c-4752-9ab5-109c30628790',
  method: 'GET',
  route: '/payment-request/:id',
  status: 200,
  ms: 1.5,
  account: 'A1B2C3D4',
  key: 'key:rk_"odd\\:10',
  address: '2001:db8::1',
};

function linesOf(level: string) {
  const lines: string[] = [];
  return { lines, log: createLog(level, { write: (line) => void lines.push(line) }) };
}

test('writes a call’s line exactly as the logger does', () => {
  const { lines, log } = linesOf('info');
  log.answered(answered);
  const written: string[] = [];
  const { time: _time, ...members } = answered;
  const timestamp = () => `,"time":${answered.time}`;
  pino({ base: null, timestamp }, { write: (line) => void written.push(line) }).info(
    members,
    'answered',
  );
  expect(lines).toEqual(written);
});

test('logs an aborted call without a key, with the number of others that were not logged', () => {
  const { lines, log } = linesOf('info');
  const { account: _account, key: _key, ...stranger } = answered;
  log.aborted({ ...stranger, others: 3 });
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 30,
    ...stranger,
    others: 3,
    msg: 'given up',
  });
});

test('writes no call lines at level `warn`', () => {
  const { lines, log } = linesOf('warn');
  log.answered(answered);
  expect(lines).toEqual([]);
});
