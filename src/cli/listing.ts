import type { Command } from 'commander';
import { mustExist } from '../accounts/operations.ts';
import { textsUnder } from '../platform/declared-texts.ts';
import type { Members } from '../platform/http/form.ts';
import { type Listing, plainCells } from '../platform/listings.ts';
import { type PageOptions, paged } from './arguments.ts';
import { nameBelow, withBase } from './command.ts';
import { takeMembers } from './members.ts';
import { type Answering, printRows } from './print.ts';

interface Options extends Answering, Partial<PageOptions> {
  all?: boolean;
  account?: string;
}

/** Maximum number of rows in a list that is read as a whole. */
const mostListed = 10_000;

/** Builds the command of a listing. Its flags, help and columns come from the declaration. */
export function listCommand<Row, S extends 'required' | 'optional' | undefined, M extends Members>(
  parent: Command,
  declared: Listing<Row, string, string, S, M>,
): void {
  const { name, texts, takes = {} as M, account: scope } = declared;
  const text = textsUnder(name, texts);
  const word = name.slice(name.lastIndexOf('.') + 1);
  const command = parent.command(word).description(text('does', 'en') ?? name);
  if (scope === 'required') command.requiredOption('--account <id>', 'the account');
  if (scope === 'optional') command.option('--account <id>', 'only of this account');
  const inputOf = takeMembers(command, takes, declared.command ?? {}, text);
  const adds = text('all', 'en');
  if (adds !== null) command.option('--all', adds);
  if (declared.whole) command.option('--json', 'as JSON');
  else paged(command);
  command.action((...given: unknown[]) => {
    const read = inputOf(given);
    const options: Options = read.options;
    const { all = false, account = null, after = 0, limit = mostListed } = options;
    return withBase(nameBelow(parent, word), async ({ base, sql }) => {
      const named = account ?? read.input.account;
      if (typeof named === 'string') await mustExist(sql, named, declared.command);
      const part = { all, account, after, limit, ...read.input };
      const rows = await declared.read(sql, part as never, base);
      printRows(
        rows.map((row) => plainCells(declared.columns, row)),
        options,
      );
    });
  });
}
