export interface SignInRules {
  /** Wrong attempts on one user, from a network or a known device, before a lock-out. */
  tries: number;
  /** Minutes of a lock-out. Attempts add up over the same time. */
  lockMinutes: number;
  idleMinutes: number;
  /** False if people sign in only through the provider. */
  passwords: boolean;
  /** True if the provider may ask for the second factor instead of us. */
  providerFactors: boolean;
}
