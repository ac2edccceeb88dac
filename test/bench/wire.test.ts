import { expect, test } from 'vitest';
import { answerIn, bytesOf } from '../../bench/harness/wire.ts';

const whole = [
  ['HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n{"a":1}', { status: 200, text: '{"a":1}' }],
  ['HTTP/1.1 204 No Content\r\n\r\n', { status: 204, text: '' }],
] as const;

test.each(whole)('parses %j as one answer, and any prefix of it as incomplete', (text, answer) => {
  const bytes = Buffer.from(text);
  expect(answerIn(bytes)).toEqual(answer);
  for (let length = 0; length < bytes.length; length += 1) {
    expect(answerIn(bytes.subarray(0, length))).toBeNull();
  }
});

test('ends a chunked answer at its last chunk, whatever the chunks contain', () => {
  const head = 'HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n';
  const bytes = Buffer.from(`${head}3\r\nabc\r\nA\r\n0\r\n\r\nxyzú\r\n0\r\n\r\n`);
  expect(answerIn(bytes)).toEqual({ status: 409, text: 'abc0\r\n\r\nxyzú' });
  for (let length = 0; length < bytes.length; length += 1) {
    expect(answerIn(bytes.subarray(0, length))).toBeNull();
  }
});

test('refuses an answer without a length, whose end is undefined', () => {
  expect(() => answerIn(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('no length');
});

test('writes a request with the length of its body in bytes', () => {
  const request = { method: 'POST' as const, path: '/a', headers: { b: 'c' }, body: 'ú' };
  expect(bytesOf('h:1', request).toString()).toBe(
    'POST /a HTTP/1.1\r\nhost: h:1\r\nb: c\r\ncontent-length: 2\r\n\r\nú',
  );
});
