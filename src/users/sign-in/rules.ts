/** How often one may try to sign in, and how long a session lives unused. */
export interface SignInRules {
  /** Wrong tries from one network or known device before it waits. */
  tries: number;
  /** How long it waits, and how long tries add up. */
  lockMinutes: number;
  idleMinutes: number;
}
