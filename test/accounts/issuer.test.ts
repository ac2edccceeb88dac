import { expect, test } from 'vitest';
import { letterHeadOf, profileFaults } from '../../src/accounts/index.ts';

test.each([
  ['pagos@banco.com.ar', 'pagos banco.com.ar'],
  ['Banco <pagos@banco.com.ar>', 'Banco pagos banco.com.ar'],
  ['pagos＠banco.com.ar', 'pagos banco.com.ar'],
  ['Coop. Agua y Luz', 'Coop. Agua y Luz'],
  ['@', 'Recaudo'],
])('sends e-mails of an account called %s only from the service’s address', (name, sender) => {
  expect(letterHeadOf({ name, look: {} }, null).sender).toBe(sender);
  expect(profileFaults({ sender: name })).toEqual(name === sender ? [] : ['sender']);
});
