import type { Operator } from '../../src/platform/actor.ts';

/** The operator on whose behalf tests call verbs directly. */
export const testOperator: Operator = {
  kind: 'operator',
  user: 'test',
  host: 'test',
  command: 'test',
};

/** The actor that events store for `testOperator`. */
export const testOperatorText = 'operator:test@test:test';
