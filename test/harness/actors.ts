import type { Operator } from '../../src/platform/actor.ts';

/** Who acts where a test calls a verb that commands call. */
export const testOperator: Operator = {
  kind: 'operator',
  user: 'test',
  host: 'test',
  command: 'test',
};

/** As the account's events show it. */
export const testOperatorText = 'operator:test@test:test';
