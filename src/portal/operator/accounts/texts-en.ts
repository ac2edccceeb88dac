import { type SettingFault, settingText } from '../../../../connectors/protocol/settings.ts';
import type { AccountMove, AccountState } from '../../../accounts/index.ts';

interface MoveTexts {
  readonly title: string;
  readonly lead: string;
  readonly submit: string;
}

export interface AccountsTexts {
  readonly title: string;
  readonly lead: string;
  readonly create: string;
  readonly createLead: string;
  readonly search: string;
  readonly searchHint: string;
  readonly anyState: string;
  readonly none: string;
  readonly noneFound: string;
  readonly name: string;
  readonly nameHint: string;
  readonly cuit: string;
  readonly city: string;
  readonly id: string;
  readonly state: string;
  readonly states: Readonly<Record<AccountState, string>>;
  readonly since: string;
  readonly owner: string;
  readonly ownerHint: string;
  readonly ownerName: string;
  readonly email: string;
  readonly keys: string;
  readonly keysActive: (count: number) => string;
  readonly fees: string;
  readonly feesSee: string;
  readonly acts: string;
  readonly actsSee: string;
  readonly available: string;
  readonly toCome: string;
  readonly settings: string;
  readonly settingsLead: string;
  readonly change: string;
  readonly save: string;
  readonly cbu: string;
  readonly cbuNone: string;
  readonly returnsFees: string;
  readonly refundsBelowZero: string;
  readonly returnsLateApprovals: string;
  readonly cutDay: string;
  readonly cutDayHint: string;
  readonly standard: string;
  readonly limits: Readonly<
    Record<'letters_a_day' | 'letters_a_minute' | 'unsigned_mandates', string>
  >;
  readonly limitHint: string;
  readonly noLimit: string;
  readonly yes: string;
  readonly no: string;
  readonly connectors: string;
  readonly connector: string;
  readonly connectorLead: (name: string) => string;
  readonly connectorSettings: string;
  readonly nothingSet: string;
  readonly users: string;
  readonly noUsers: string;
  readonly invite: string;
  readonly inviteLead: string;
  readonly role: string;
  readonly invited: string;
  readonly working: string;
  readonly suspendedUser: string;
  readonly sent: string;
  readonly closedMandates: (count: number) => string;
  readonly standing: string;
  readonly moves: Readonly<Record<AccountMove, MoveTexts>>;
  readonly reason: string;
  readonly reasonHint: string;
  readonly typed: (id: string) => string;
  /** What is wrong with a member of a connector's settings. */
  readonly settingFault: (fault: SettingFault) => string;
  readonly faults: Readonly<
    Record<
      | 'name'
      | 'cuit'
      | 'city'
      | 'ownerName'
      | 'email'
      | 'role'
      | 'taken'
      | 'tooMany'
      | 'reason'
      | 'typed'
      | 'cutDay'
      | 'limit'
      | 'json'
      | 'owed'
      | 'moved',
      string
    >
  >;
}

export const english: AccountsTexts = {
  title: 'Accounts',
  lead: 'Who collects with the service.',
  create: 'Create an account',
  createLead: 'Its first owner gets an invitation by mail, which works for 7 days.',
  search: 'Search',
  searchHint: 'A part of the name, or the whole CUIT or account number.',
  anyState: 'Any',
  none: 'There are no accounts yet',
  noneFound: 'No account is what you look for',
  name: 'Name',
  nameHint: 'As payers see it.',
  cuit: 'CUIT',
  city: 'City',
  id: 'Account',
  state: 'State',
  states: { active: 'Active', suspended: 'Suspended', closed: 'Closed' },
  since: 'Since',
  owner: 'First owner',
  ownerHint: 'Invites the others.',
  ownerName: 'Name of the owner',
  email: 'E-mail address',
  keys: 'API keys',
  keysActive: (count) => `${count} active`,
  fees: 'Fees',
  feesSee: 'See fees and withholdings',
  acts: 'Audit log',
  actsSee: 'See who did what',
  available: 'Available',
  toCome: 'To come',
  settings: 'Settings',
  settingsLead: 'They hold from now on; who changed them, and what they were, is kept.',
  change: 'Change',
  save: 'Save',
  cbu: 'CBU for payouts',
  cbuNone: 'None: nothing is paid out',
  returnsFees: 'Refunds and chargebacks return fees',
  refundsBelowZero: 'Refunds may take more than there is',
  returnsLateApprovals: 'Approvals that come too late go back to their payers',
  cutDay: 'Last day of a month for card debits',
  cutDayHint: '1 to 31; empty, the one that holds for all.',
  standard: 'the general one',
  limits: {
    letters_a_day: 'Letters to sign to one mailbox within 24 hours',
    letters_a_minute: 'Letters to sign in a minute',
    unsigned_mandates: 'Mandates that wait for their signature',
  },
  limitHint: 'Empty: the general limit. 0: no limit.',
  noLimit: 'no limit',
  yes: 'Yes',
  no: 'No',
  connectors: 'Connectors',
  connector: 'Connector',
  connectorLead: (name) => `What ${name} is told of this account with each charge.`,
  connectorSettings: 'Settings, as a JSON object',
  nothingSet: 'Nothing',
  users: 'Users',
  noUsers: 'Nobody works for this account yet',
  invite: 'Invite somebody',
  inviteLead: 'A link comes by mail, which works for 7 days, once.',
  role: 'Role',
  invited: 'Invitation sent',
  working: 'Active',
  suspendedUser: 'Suspended',
  sent: 'The invitation goes by mail.',
  closedMandates: (count) => `The account is closed. ${count} mandates were canceled.`,
  standing: 'State of the account',
  moves: {
    suspend: {
      title: 'Suspend the account',
      lead: 'Its keys only read, nobody pays it online, and nothing is paid out. What networks and banks report is recorded all the same.',
      submit: 'Suspend',
    },
    reopen: {
      title: 'Reopen the account',
      lead: 'It collects and is paid out again.',
      submit: 'Reopen',
    },
    close: {
      title: 'Close the account',
      lead: 'For good: its keys stop working and its mandates are canceled. What it is owed is paid out first.',
      submit: 'Close for good',
    },
  },
  reason: 'Reason',
  reasonHint: 'It stays in the audit log.',
  typed: (id) => `To confirm, type the number of the account: ${id}`,
  settingFault: (fault) => `${settingText(fault)}.`,
  faults: {
    name: 'Enter a name of 1 to 100 characters, in one line.',
    cuit: 'A CUIT has 11 digits, and the last one must be right.',
    city: 'Enter a city of 1 to 60 characters.',
    ownerName: 'Enter a name of 1 to 100 characters.',
    email: 'Enter an address, such as ana@example.com.',
    role: 'Choose a role.',
    taken: 'This person works for the account already.',
    tooMany: 'Too many invitations went out today. Try again tomorrow.',
    reason: 'Enter a reason of 1 to 255 characters.',
    typed: 'This is not the number of this account.',
    cutDay: 'It must be a day from 1 to 31.',
    limit: 'It must be a whole number from 0 to 1000000000.',
    json: 'It must be a JSON object of up to 4 KiB, such as {"merchant": "123"}.',
    owed: 'It is still owed money, or owes some, or refunds are on their way: all has to be settled first.',
    moved: 'The state of the account does not allow this any more.',
  },
};
