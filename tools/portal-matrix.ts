import {
  type Act,
  accountActs,
  accountRoles,
  mayDo,
  ruleOf,
  serviceActs,
  serviceRoles,
} from '../src/users/index.ts';

type Role = (typeof accountRoles)[number] | (typeof serviceRoles)[number];

const needsOf = (act: Act): string => {
  const { fresh, account } = ruleOf(act);
  return [
    fresh && 'a fresh proof',
    account === 'active' && 'an active account',
    account === 'open' && 'an account that is not closed',
  ]
    .filter(Boolean)
    .join(', ');
};

const matrix = (acts: readonly string[], roles: readonly Role[]): string =>
  [
    `| Action | ${roles.map((role) => `\`${role}\``).join(' | ')} | Needs |`,
    `| --- | ${roles.map(() => '---').join(' | ')} | --- |`,
    ...(acts as Act[]).map((act) => {
      const cells = roles.map((role) => (mayDo(role, act) ? 'yes' : ''));
      return `| \`${act}\` | ${cells.join(' | ')} | ${needsOf(act)} |`;
    }),
  ].join('\n');

/** Renders the portal's permissions, as the code checks them. */
export const portalMatrix = (): string =>
  [
    matrix(Object.keys(accountActs), accountRoles),
    'For the service itself:',
    matrix(Object.keys(serviceActs), serviceRoles),
  ].join('\n\n');
