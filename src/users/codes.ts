import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, ...refusals } = declareRefusals(
  {
    'user.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'No user has this id or address. List the users.',
    },
    'user.email_invalid': {
      kind: 'invalid',
      parameters: {},
      help: 'Correct the address.',
    },
    'user.email_taken': {
      kind: 'conflict',
      parameters: {},
      help: 'Each address belongs to one user. Invite that user, or use another address.',
    },
    'user.name_invalid': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'Shorten the name, or type it again in one line.',
    },
    'user.invitation_open': {
      kind: 'conflict',
      parameters: {},
      help: 'A user becomes active by accepting the invitation. Invite them again to send a new e-mail.',
    },
    'user.not_active': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'Invite the user again, or lift the suspension with `users reopen`.',
    },
    'user.last_operator': {
      kind: 'conflict',
      parameters: {},
      help: 'The service needs at least one active operator. Add another one and wait until they accept the invitation, or reopen a suspended one with `users reopen`.',
    },
    'user.role_unchanged': {
      kind: 'conflict',
      parameters: {},
      help: 'There is nothing to do.',
    },
    'user.factor_exists': {
      kind: 'conflict',
      parameters: {},
      help: 'A user can have one authenticator app. Remove it before you add another; passkeys can be added any time.',
    },
    'filter.limit_reached': {
      kind: 'conflict',
      parameters: { most: 'count' },
      help: 'Remove a filter that you do not use.',
    },
    'member.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'No user of the account has this id. List its users.',
    },
    'member.exists': {
      kind: 'conflict',
      parameters: {},
      help: "Change the user's role instead.",
    },
    'member.owners_only': {
      kind: 'forbidden',
      parameters: {},
      help: 'Ask an owner of the account.',
    },
    'member.last_owner': {
      kind: 'conflict',
      parameters: {},
      help: 'An account needs at least one active owner. Make another active user an owner first, or wait until an invited one accepts.',
    },
    'invitation.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The user has accepted, was removed or suspended, or was never invited. List the users.',
    },
    'invitation.withdrawn': {
      kind: 'conflict',
      parameters: {},
      help: 'The user accepted an earlier e-mail of the invitation, or someone removed the user.',
    },
    'invitation.too_many_to_address': {
      kind: 'too_many_requests',
      parameters: { most: 'count' },
      help: 'Invitations from all accounts count together. Retry after `Retry-After` seconds.',
    },
    'invitation.too_many': {
      kind: 'too_many_requests',
      parameters: { most: 'count' },
      help: 'The limit is for each account. Retry after `Retry-After` seconds.',
    },
    'link.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'A link in an e-mail works once, for a limited time. Request another e-mail.',
    },
    'link.user_suspended': {
      kind: 'forbidden',
      parameters: {},
      help: 'An operator suspended the user. Ask the operator; another e-mail does not help.',
    },
    'password.missing': {
      kind: 'conflict',
      parameters: {},
      help: 'The link sets a new password, and the form had none. Enter one.',
    },
    'password.short': {
      kind: 'invalid',
      parameters: { least: 'count' },
      help: 'Choose a longer password; a few words are enough.',
    },
    'password.long': {
      kind: 'invalid',
      parameters: { most: 'count' },
      help: 'Choose a shorter password.',
    },
    'password.common': {
      kind: 'invalid',
      parameters: {},
      help: 'Attackers try common passwords first. Choose another.',
    },
    'password.own': {
      kind: 'invalid',
      parameters: {},
      help: 'Choose a password that no one can guess from your address.',
    },
    'password.used': {
      kind: 'invalid',
      parameters: {},
      help: 'Choose a password that you have not used before.',
    },
    'password.off': {
      kind: 'forbidden',
      parameters: {},
      help: 'Sign in with your provider. The operator turned passwords off (OIDC_ONLY).',
    },
    'provider.taken': {
      kind: 'conflict',
      parameters: {},
      help: 'Sign in at the provider as the invited person, or ask the operator to remove the other link.',
    },
    'provider.none': {
      kind: 'conflict',
      parameters: {},
      help: 'Set OIDC_ISSUER, or name the provider with --issuer.',
    },
    'provider.away': {
      kind: 'unavailable',
      parameters: {},
      help: 'Check the provider with `recaudo doctor`, or name it with --issuer.',
    },
    'provider.identity_invalid': {
      kind: 'invalid',
      parameters: {},
      help: 'Copy both from an ID token of the provider: `iss` and `sub`.',
    },
    'provider.linked': {
      kind: 'conflict',
      parameters: {},
      help: 'Unlink the user first, once you are sure who owns the new subject.',
    },
    'provider.only_way': {
      kind: 'conflict',
      parameters: {},
      help: 'Choose a password first, if the service uses passwords, or ask the operator.',
    },
    'provider.subject_taken': {
      kind: 'conflict',
      parameters: {},
      help: 'Unlink the other user first, once you are sure who owns the subject.',
    },
    'passkey.limit_reached': {
      kind: 'conflict',
      parameters: { most: 'count' },
      help: 'Remove a passkey that you do not use.',
    },
    'passkey.taken': {
      kind: 'conflict',
      parameters: {},
      help: 'A passkey belongs to one user. Create another one.',
    },
    'session.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The session expired, or someone ended it elsewhere. Sign in again.',
    },
    'sign_in.busy': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'The service checks two passwords at a time, and each network or user has a queue. Repeat the sign-in or the password change in a moment.',
    },
  },
  { en, es },
);
