import type { Acting, Base } from '../platform/base.ts';
import { fault } from '../platform/http/codes.ts';
import { accountId, line, recordId, text } from '../platform/http/fields.ts';
import { type Field, fail, required } from '../platform/http/form.ts';
import type { ListPage } from '../platform/list-page.ts';
import { listing } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import type { ConfigureConnector } from './configure.ts';
import type { ResumeConnector } from './resume.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };
const name = required(text({ max: 100 }));

/** Lists what each acquirer owed at the last comparison. */
export const owedList = listing({
  name: 'settlement.owed',
  act: 'alarms.see',
  whole: true,
  texts,
  read: async (sql: Sql) => (await import('./reconcile/store.ts')).readOwed(sql),
  columns: {
    connector: { kind: 'text', of: (row) => row.connector },
    day: { kind: 'day', of: (row) => row.day },
    charges: { kind: 'text', of: (row) => row.charges },
    amount: { kind: 'money', of: (row) => row.amount },
  },
});

/** Lists alarms of connectors, latest last. */
export const connectorAlarms = listing({
  name: 'connector.alarms',
  act: 'alarms.see',
  whole: true,
  texts,
  read: async (sql: Sql) => (await import('./store.ts')).readAlarms(sql),
  columns: {
    connector: { kind: 'text', of: (row) => row.connector },
    channel: { kind: 'text', of: (row) => row.channel || null },
    kind: { kind: 'choice', of: (row) => row.kind },
    message: { kind: 'text', of: (row) => row.message },
    times: { kind: 'text', of: (row) => row.times },
    first_at: { kind: 'moment', of: (row) => row.first_at },
    last_at: { kind: 'moment', of: (row) => row.last_at },
    off_until: { kind: 'moment', of: (row) => row.off_until },
  },
});

/** Clears the alarms of a connector, which switches its channels on again. */
export const connectorResuming = operation({
  name: 'connector.resume',
  act: 'alarms.close',
  texts,
  takes: { name },
  repeat: 'natural',
  run: (resume: ResumeConnector, input, actor) => resume(input.name, actor),
  command: {
    arguments: ['name'],
    shows: ({ name: connector }, forgotten) => ({ connector, forgotten }),
  },
});

/** A JSON object, which the connector's manifest constrains further. */
const settings: Field<Record<string, unknown>> = {
  schema: { type: 'object' },
  expectation: fault('field.object', {}),
  asks: 'lines',
  parse(value) {
    try {
      const object: unknown = JSON.parse(String(value));
      if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
        return { ok: true, value: { ...object } };
      }
    } catch {
      // Text that is not JSON gets the same error as JSON of another type.
    }
    return fail(settings.expectation);
  },
};

/**
 * Configures what a connector receives about an account. `seen` is the version that the form
 * showed.
 */
export const connectorConfiguring = operation({
  name: 'connector.configure',
  act: 'accounts.manage',
  texts,
  takes: { name, account: required(accountId()), settings: required(settings) },
  repeat: 'natural',
  run: (
    { configure, seen }: { configure: ConfigureConnector; seen?: string },
    { name: connector, account, settings: newSettings },
    actor,
  ) => {
    const change = { accountId: account, connector, settings: newSettings };
    return configure({ ...change, ...(seen !== undefined && { seen }) }, actor);
  },
  command: {
    arguments: ['name'],
    shows: ({ name: connector, ...input }, checked) => ({ connector, ...input, checked }),
  },
});

/** Lists notices that this release cannot read, oldest first. */
export const letterList = listing({
  name: 'connector.letters',
  act: 'alarms.see',
  texts,
  read: async (sql: Sql, part: ListPage & { all: boolean }) =>
    (await import('./dead-letters.ts')).listLetters(sql, part),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    connector: { kind: 'text', of: (row) => row.connector },
    body: { kind: 'text', of: (row) => row.body },
    fault: { kind: 'text', of: (row) => row.fault },
    heard_at: { kind: 'moment', of: (row) => row.heard_at },
    state: { kind: 'choice', of: (row) => row.state },
    decided_at: { kind: 'moment', of: (row) => row.decided_at },
    decided_by: { kind: 'text', of: (row) => row.decided_by },
    note: { kind: 'text', of: (row) => row.note },
  },
});

const id = required(recordId());

/** Carries out a dead letter, once this release can read it. */
export const letterReplaying = operation({
  name: 'letter.replay',
  act: 'alarms.close',
  texts,
  takes: { id },
  repeat: 'natural',
  run: (
    verb: { base: Base; replay: (acting: Acting, id: number) => Promise<void> },
    input,
    actor,
  ) => verb.replay({ ...verb.base, actor }, input.id),
  command: { arguments: ['id'], shows: (input) => ({ ...input, state: 'replayed' }) },
});

export const letterDiscarding = operation({
  name: 'letter.discard',
  act: 'alarms.close',
  texts,
  takes: { id, note: required(line({ max: 255 })) },
  repeat: 'natural',
  async run(base: Base, input, actor) {
    const { discardLetter } = await import('./dead-letters.ts');
    return await discardLetter({ ...base, actor }, input.id, input.note);
  },
  command: {
    arguments: ['id'],
    flags: { note: 'reason' },
    shows: (input) => ({ id: input.id, state: 'discarded' }),
  },
});
