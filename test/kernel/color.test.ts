import fc from 'fast-check';
import { expect, test } from 'vitest';
import { black, colorText, contrast, parseColor, white } from '../../src/kernel/color.ts';
import { accentFault, leastContrast, schemesOf } from '../../src/platform/pages/accent.ts';

const part = fc.integer({ min: 0, max: 255 });
const color = fc.tuple(part, part, part);
const read = (text: string) => parseColor(text) ?? black;

test('computes WCAG contrasts', () => {
  expect(contrast(white, black)).toBeCloseTo(21);
  expect(contrast(read('#777777'), white)).toBeCloseTo(4.48, 2);
  expect(contrast(read('#767676'), white)).toBeCloseTo(4.54, 2);
});

test.each(['', '#12345', '#1234567', 'red', '0b6b5d', '#0b6b5g', '#0b6b5d;}', 'var(--x)'])(
  'refuses %j as a color',
  (text) => {
    expect([parseColor(text), accentFault(text), schemesOf(text)]).toEqual([null, 'format', null]);
  },
);

test('accepts only colors that are legible on every background and button, in both modes', () => {
  fc.assert(
    fc.property(color, (one) => {
      const text = colorText(one);
      const fault = accentFault(text);
      const schemes = schemesOf(text);
      if (fault !== null) {
        expect(schemes).toBeNull();
        const nearest = fault === 'format' ? '' : fault.nearest;
        expect(accentFault(nearest)).toBeNull();
        return;
      }
      const grounds = { day: ['#ffffff', '#f3f6f7'], night: ['#17212a', '#0e151b'] };
      for (const when of ['day', 'night'] as const) {
        const scheme = schemes?.[when];
        for (const ground of [...grounds[when], scheme?.soft, scheme?.on]) {
          const ratio = contrast(read(scheme?.accent ?? ''), read(ground ?? ''));
          expect(ratio).toBeGreaterThanOrEqual(leastContrast);
        }
        const pressed = contrast(read(scheme?.dark ?? ''), read(scheme?.on ?? ''));
        expect(pressed).toBeGreaterThanOrEqual(leastContrast);
      }
    }),
    { numRuns: 2_000 },
  );
});
