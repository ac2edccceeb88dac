/** Limits of sign-in attempts, and the idle time of a session. */
export interface SignInRules {
  /** Wrong tries from one network or known device before it waits. */
  tries: number;
  /** Minutes of a lock-out; attempts add up for as long. */
  lockMinutes: number;
  idleMinutes: number;
}
