import type { Command } from 'commander';
import { textsUnder } from '../platform/declared-texts.ts';
import type { Detail } from '../platform/details.ts';
import type { Members } from '../platform/http/form.ts';
import { nameBelow, withBase } from './command.ts';
import { takeMembers } from './members.ts';
import { type Answering, print, printRows, say } from './print.ts';

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '-');

/** Builds the command that shows one entity: facts line by line and a table, or one JSON object. */
export function detailCommand<M extends Members, F extends Readonly<Record<string, unknown>>>(
  parent: Command,
  { name, takes, command: line, facts, table, texts }: Detail<M, string, F>,
): void {
  const text = textsUnder(name, texts);
  const word = name.slice(name.lastIndexOf('.') + 1);
  const command = parent.command(word).description(text('does', 'en') ?? name);
  const inputOf = takeMembers(command, takes, line, text);
  command.option('--json', 'as JSON').action((...given: unknown[]) => {
    const { input, options } = inputOf(given);
    return withBase(nameBelow(parent, word), async ({ base }) => {
      const found = await facts(base, input as never);
      const plain = Object.entries(found).filter(([fact]) => fact !== table?.of);
      const width = Math.max(...plain.map(([fact]) => fact.length)) + 2;
      const lines = plain.map(([fact, value]) => `${fact.padEnd(width)}${shown(value)}`);
      print(lines, found, options);
      const rows = table?.rows(found) ?? [];
      if ((options as Answering).json || rows.length === 0) return;
      say('');
      printRows(rows, {});
    });
  });
}
