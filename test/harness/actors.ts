import type { Operator } from '../../src/platform/actor.ts';

/** The operator on whose behalf tests call verbs directly. */
export const testOperator: Operator = {
  kind: 'operator',
  user: 'test',
  host: 'test',
  command: 'test',
};

/** The operator as the account's events show it. */
export const testOperatorText = 'operator:test@test:test';
