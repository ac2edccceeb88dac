import type { Command, Option } from 'commander';
import { commandTree, leavesOf } from '../src/cli/tree.ts';

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function wordsOf(leaf: Command): string {
  const words: string[] = [];
  for (let one: Command | null = leaf; one?.parent; one = one.parent) words.unshift(one.name());
  return words.join(' ');
}

const isEverywhere = ({ long }: Option): boolean => long === '--json';

function usageOf(leaf: Command): string {
  const given = leaf.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = leaf.options
    .filter((option) => !isEverywhere(option))
    .map((option) => (option.mandatory ? option.flags : `[${option.flags}]`));
  return [wordsOf(leaf), ...given, ...options].join(' ');
}

/** Renders every command with its arguments, read from the program itself. */
export async function commandTables(): Promise<string> {
  const rows = leavesOf(await commandTree()).map(
    (leaf) => `| \`${escaped(usageOf(leaf))}\` | ${escaped(leaf.description())} |`,
  );
  return ['| Command | Description |', '| --- | --- |', ...rows].join('\n');
}
