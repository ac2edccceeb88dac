import type { Command } from 'commander';
import type { DeclaredText } from '../platform/declared-texts.ts';
import type { Field, Members } from '../platform/http/form.ts';
import type { CommandLine } from '../platform/operations.ts';
import { reading } from './arguments.ts';

/** Formats a label for help, after a flag. Abbreviations keep their capitals. */
const inLine = (label: string): string =>
  label.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());

function helpOf(name: string, { schema }: Field<unknown>, text: DeclaredText): string {
  const label = text(`${name}.help`, 'en') ?? inLine(text(name, 'en') ?? name);
  return Array.isArray(schema.enum) ? `${label}: ${schema.enum.join(', ')}` : label;
}

/**
 * Adds the arguments and flags of members to a command. Returns a parser of the action's arguments:
 * members by name, null if omitted.
 */
export function takeMembers<M extends Members>(
  command: Command,
  members: M,
  { arguments: inPlace = [], needs = [], flags = {}, noFlags = {} }: CommandLine<M>,
  text: DeclaredText,
): (given: readonly unknown[]) => { input: Record<string, unknown>; options: object } {
  const options: [member: string, option: string][] = [];
  for (const member of inPlace) {
    const { field, required } = members[member] as Members[string];
    command.argument(
      required || needs.includes(member) ? `<${member}>` : `[${member}]`,
      helpOf(member, field, text),
      reading(field),
    );
  }
  const named: Readonly<Record<string, string | undefined>> = flags;
  const words: Readonly<Record<string, string | undefined>> = noFlags;
  for (const [member, { field, required }] of Object.entries<Members[string]>(members)) {
    if (inPlace.includes(member)) continue;
    const isFlag = field.schema.type === 'boolean';
    const shape = `--${named[member] ?? member}${isFlag ? '' : ` <${member}>`}`;
    const option = command.createOption(shape, helpOf(member, field, text));
    options.push([member, option.attributeName()]);
    if (!isFlag) option.argParser(reading(field));
    command.addOption(option.makeOptionMandatory(required));
    if (words[member] !== undefined) {
      command.option(`--no-${named[member] ?? member}`, text(`${member}.no`, 'en') ?? member);
    }
  }
  /** Returns the input of a flag. `--no-…` stands for one of the choices. */
  const inputOf = (member: string, value: unknown): unknown => {
    if (value !== false || words[member] === undefined) return value ?? null;
    const parsed = (members[member] as Members[string]).field.parse(words[member]);
    return parsed.ok ? parsed.value : null;
  };
  return (given) => {
    const found = given[inPlace.length] as Readonly<Record<string, unknown>>;
    const input = Object.fromEntries([
      ...inPlace.map((member, index) => [member, given[index] ?? null] as const),
      ...options.map(([member, option]) => [member, inputOf(member, found[option])] as const),
    ]);
    return { input, options: found };
  };
}
