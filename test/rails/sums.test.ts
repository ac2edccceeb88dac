import { expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { counted, LineFault } from '../../src/rails/files/fault.ts';

test('refuses the line at which a file’s sum stops being exact to the centavo, and names the bound', () => {
  const most = centavos(Number.MAX_SAFE_INTEGER);
  expect(counted(centavos(most - 1), centavos(1))).toBe(most);
  expect(() => counted(most, centavos(1))).toThrow(LineFault);
  expect(() => counted(most, centavos(1))).toThrow(
    '"0.01" instead of amounts that add up to at most 90071992547409.91',
  );
});
