import { expect, test } from 'vitest';
import { failureOf, tell } from '../../src/cli/failure.ts';
import { refusal } from '../../src/money/refunds/codes.ts';
import { refusal as anyRefusal } from '../../src/platform/codes.ts';

const wrong = 'cbu: This is not a CBU or CVU. Send 22 digits, with both check digits correct.';

test('reports a refusal of a single field once, and names the field', () => {
  expect(failureOf(refusal('refund.cbu_invalid', {})).message).toBe(wrong);
  const { children } = refusal('refund.cbu_invalid', {});
  const whole = anyRefusal('invalid_fields', {}, { children: { ...children, amount: {} } });
  expect(failureOf(whole).message).toBe(`${anyRefusal('invalid_fields', {}).message} ${wrong}`);
});

test('prints a refusal’s code with --json, and none for other failures', () => {
  const told: string[] = [];
  const output = { json: true, stderr: { write: (text: string) => told.push(text) } };
  tell(refusal('refund.cbu_invalid', {}), output);
  tell(new Error('Broken.'), output);
  expect(told.map((line) => JSON.parse(line))).toEqual([
    { error: 'invalid', error_code: 'refund.cbu_invalid', message: wrong },
    { error: 'failed', message: 'Broken.' },
  ]);
});
