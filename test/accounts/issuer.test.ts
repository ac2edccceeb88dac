import { expect, test } from 'vitest';
import { emailHeadOf, profileFaults } from '../../src/accounts/index.ts';

test.each([
  ['pagos@banco.com.ar', 'pagos banco.com.ar'],
  ['Banco <pagos@banco.com.ar>', 'Banco pagos banco.com.ar'],
  ['pagos＠banco.com.ar', 'pagos banco.com.ar'],
  ['Coop. Agua y Luz', 'Coop. Agua y Luz'],
  ['@', 'Recaudo'],
])(
  'shows the name %s as the e-mail sender %s, and accepts it as a sender only if unchanged',
  (name, sender) => {
    expect(emailHeadOf({ name, look: {} }, null).sender).toBe(sender);
    expect(profileFaults({ sender: name })).toEqual(name === sender ? [] : ['sender']);
  },
);
