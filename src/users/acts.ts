/** Roles in an account. docs/reference/portal.md shows what each may do, from the table below. */

export const accountRoles = [
  'owner',
  'administrator',
  'collections',
  'treasury',
  'read_only',
] as const;
export type AccountRole = (typeof accountRoles)[number];

export const serviceRoles = ['operator', 'operator_read_only'] as const;
export type ServiceRole = (typeof serviceRoles)[number];

interface Rule<Role> {
  readonly roles: readonly Role[];
  /** Requires a recent proof of identity (`freshFor`). */
  readonly fresh?: true;
  /** Required state of the account. Absent for any. `open` is active or suspended. */
  readonly account?: 'active' | 'open';
}

const all = accountRoles;
const managers = ['owner', 'administrator'] as const;
const collectors = ['owner', 'administrator', 'collections'] as const;
const treasurers = ['owner', 'administrator', 'treasury'] as const;
const overseers = ['owner', 'administrator', 'read_only'] as const;
const active = { account: 'active' } as const;
const open = { account: 'open' } as const;

export const accountActs = {
  'home.see': { roles: all },
  'requests.see': { roles: all },
  'requests.create': { roles: collectors, ...active },
  'requests.withdraw': { roles: collectors, ...open },
  'requests.send': { roles: collectors, ...active },
  'requests.refund': { roles: treasurers, ...open },
  'refunds.approve': { roles: treasurers, fresh: true, ...open },
  'refunds.limit': { roles: managers, fresh: true, ...open },
  'mandates.see': { roles: all },
  'mandates.create': { roles: collectors, ...active },
  'mandates.cancel': { roles: collectors, ...open },
  'debits.see': { roles: all },
  'debits.create': { roles: collectors, ...active },
  'debits.cancel': { roles: collectors, ...open },
  'qr.see': { roles: all },
  'qr.create': { roles: collectors, ...active },
  'qr.edit': { roles: collectors, ...active },
  'money.see': { roles: ['owner', 'administrator', 'treasury', 'read_only'] },
  'reports.see': { roles: ['owner', 'administrator', 'treasury', 'read_only'] },
  'payouts.make': { roles: treasurers, fresh: true, ...active },
  'integrations.see': { roles: overseers },
  'keys.manage': { roles: managers, fresh: true, ...open },
  'webhooks.manage': { roles: managers, fresh: true, ...open },
  'log.see': { roles: overseers },
  'activity.see': { roles: ['owner'] },
  'settings.see': { roles: overseers },
  'settings.change': { roles: managers, fresh: true, ...open },
  'bank_account.change': { roles: ['owner'], fresh: true, ...open },
  'users.manage': { roles: managers, fresh: true, ...open },
  'notices.choose': { roles: all },
  // An import's kind also requires acts of its own. See `kindActs`.
  'imports.see': { roles: all },
  'imports.run': { roles: collectors, ...active },
  'imports.undo': { roles: collectors, ...open },
} as const satisfies Record<string, Rule<AccountRole>>;

const operators = ['operator'] as const;

export const serviceActs = {
  'accounts.see': { roles: serviceRoles },
  'accounts.manage': { roles: operators, fresh: true },
  'fees.manage': { roles: operators, fresh: true },
  'files.see': { roles: serviceRoles },
  'files.manage': { roles: operators, fresh: true },
  'card_files.take': { roles: operators, fresh: true },
  'suspense.see': { roles: serviceRoles },
  'suspense.manage': { roles: operators, fresh: true },
  'alarms.see': { roles: serviceRoles },
  'alarms.close': { roles: operators },
  'payouts.see': { roles: serviceRoles },
  'payouts.propose': { roles: operators, fresh: true },
  'payouts.approve': { roles: operators, fresh: true },
  'corrections.see': { roles: serviceRoles },
  'corrections.propose': { roles: operators },
  'corrections.approve': { roles: operators, fresh: true },
  'health.see': { roles: serviceRoles },
  'audit_log.see': { roles: serviceRoles },
  'sandbox.play': { roles: operators },
  'operators.see': { roles: serviceRoles },
  'operators.manage': { roles: operators, fresh: true },
} as const satisfies Record<string, Rule<ServiceRole>>;

export type AccountAct = keyof typeof accountActs;
export type ServiceAct = keyof typeof serviceActs;
export type Act = AccountAct | ServiceAct;

export const isAccountAct = (act: Act): act is AccountAct => Object.hasOwn(accountActs, act);

export const ruleOf = (act: Act): Rule<AccountRole | ServiceRole> =>
  isAccountAct(act) ? accountActs[act] : serviceActs[act];

export const mayDo = (role: AccountRole | ServiceRole | null, act: Act): boolean =>
  role !== null && ruleOf(act).roles.includes(role);
