// Permissions of keys, with the same names in the gate, the portal and the commands.

/** Each covers every noun, including those of later releases. */
export const widePermissions = ['read', 'write', 'sandbox'] as const;

const ofNouns = [
  'payment_requests:read',
  'payment_requests:write',
  'debits:read',
  'debits:write',
  'mandates:read',
  'mandates:write',
  'qr:read',
  'qr:write',
  'refunds:read',
  'refunds:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'reports:read',
  'account:read',
  'helpers:read',
] as const;

export const allPermissions = [...widePermissions, ...ofNouns] as const;
export type KeyPermission = (typeof allPermissions)[number];

export const isPermission = (word: string): word is KeyPermission =>
  allPermissions.some((known) => known === word);

/** Expands wide permissions into those of each noun, which calls require. */
export const grantedBy = (permissions: readonly string[]): Set<string> =>
  new Set([
    ...permissions,
    ...ofNouns.filter((one) => permissions.includes(one.slice(one.indexOf(':') + 1))),
  ]);

/** Permissions that users choose together. */
export const permissionPresets = {
  all: ['read', 'write'],
  reading: ['read'],
  shop: [
    'payment_requests:read',
    'payment_requests:write',
    'qr:read',
    'qr:write',
    'events:read',
    'account:read',
    'helpers:read',
  ],
  subscriptions: [
    'mandates:read',
    'mandates:write',
    'debits:read',
    'debits:write',
    'events:read',
    'account:read',
    'helpers:read',
  ],
  accounting: ['reports:read', 'account:read'],
} as const satisfies Record<string, readonly KeyPermission[]>;

export type PermissionPreset = keyof typeof permissionPresets;
