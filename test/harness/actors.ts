import type { Actor, Operator } from '../../src/platform/actor.ts';

/** Who acts where a test calls a verb that commands call. */
export const testOperator: Operator = {
  kind: 'operator',
  user: 'test',
  host: 'test',
  command: 'test',
};

/** As the account's events show it. */
export const testOperatorText = 'operator:test@test:test';

/** An account's key that no test authenticates with. */
export const testKey: Actor = { kind: 'key', prefix: 'test', id: 1 };
