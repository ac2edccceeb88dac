import type { Operator } from '../../src/platform/actor.ts';

/** The operator of verbs that tests call directly. */
export const testOperator: Operator = {
  kind: 'operator',
  user: 'test',
  host: 'test',
  command: 'test',
};

/** As the account's events show it. */
export const testOperatorText = 'operator:test@test:test';
