import { expect, test } from 'vitest';
import { refusalWords, rejectCodeOf } from '../../src/debit-requests/index.ts';

test('reads an unknown code that names a property of every object as any other', () => {
  for (const code of ['constructor', 'toString', '__proto__']) {
    expect(rejectCodeOf(code, 'Card lost')).toEqual({ text: 'Card lost', handling: 'reject' });
    const words = refusalWords('es', { code, state_comment: `${code}: Card lost` });
    expect(words).toMatchObject({ code, reason: 'Card lost', isQuoted: true });
  }
});
