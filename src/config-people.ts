import { integer, type Variable } from './variables.ts';

/** Sign-in of people. Defaults follow PCI DSS 4.0, requirement 8. */
export const peopleVariables = {
  SIGN_IN_TRIES: integer(
    'Wrong passwords or codes from one network or device before a person’s next one waits',
    '10',
    3,
    10,
  ),
  SIGN_IN_LOCK_MINUTES: integer(
    'How long it then waits, unless a reset or an operator releases it (`users release`)',
    '30',
    1,
    1440,
  ),
  SESSION_IDLE_MINUTES: integer(
    'Minutes after which a session of the portal that nobody uses ends',
    '15',
    1,
    720,
  ),
} satisfies Record<string, Variable<unknown, string | null>>;

/** Converts them for the noun of users. */
export const signInRulesOf = (config: {
  SIGN_IN_TRIES: number;
  SIGN_IN_LOCK_MINUTES: number;
  SESSION_IDLE_MINUTES: number;
}) => ({
  tries: config.SIGN_IN_TRIES,
  lockMinutes: config.SIGN_IN_LOCK_MINUTES,
  idleMinutes: config.SESSION_IDLE_MINUTES,
});
