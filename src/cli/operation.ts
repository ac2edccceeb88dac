import { type Command, InvalidArgumentError } from 'commander';
import type { Field, Members } from '../platform/http/form.ts';
import type { Operation } from '../platform/operations.ts';
import { type BaseContext, mustExist, withBase } from './command.ts';
import { print } from './print.ts';

/** Reads a word of the command line as a member, or refuses with what is allowed. */
const reading = (field: Field<unknown>) => (text: string) => {
  const parsed = field.parse(text);
  if (parsed.ok) return parsed.value;
  throw new InvalidArgumentError((parsed.errors ?? []).join(' '));
};

/** The command of an operation: its flags, help, and answer come from the declaration. */
export function operationCommand<M extends Members, Verb, Outcome extends string>(
  parent: Command,
  operation: Operation<M, Verb, Outcome>,
  verbOf: (context: BaseContext) => Verb,
): void {
  const { name, members, command: shape } = operation;
  if (shape === undefined) throw new Error(`${name} has no command`);
  const saying = (key: string, parameters = {}) => operation.text(key, 'en', parameters) ?? key;
  const word = name.slice(name.lastIndexOf('.') + 1);
  const command = parent.command(word).description(saying('does'));
  const isPlace = (member: string): boolean => shape.arguments?.includes(member) ?? false;
  const flags: Readonly<Record<string, string | undefined>> = shape.flags ?? {};
  /** Members in the order in which the action is given them, and by the names of options. */
  const places: string[] = [];
  const options: [member: string, option: string][] = [];
  for (const [member, { field, required }] of Object.entries<Members[string]>(members)) {
    if (isPlace(member)) {
      places.push(member);
      command.argument(`<${member}>`, saying(member), reading(field));
      continue;
    }
    const option = command.createOption(`--${flags[member] ?? member} <${member}>`, saying(member));
    options.push([member, option.attributeName()]);
    command.addOption(option.argParser(reading(field)).makeOptionMandatory(required));
  }
  command.action((...given: unknown[]) => {
    const named = given[places.length] as Record<string, unknown>;
    const input = Object.fromEntries([
      ...places.map((member, index) => [member, given[index]]),
      ...options.map(([member, option]) => [member, named[option] ?? null]),
    ]);
    return withBase(`${parent.name()} ${word}`, async (context) => {
      if (typeof input.account === 'string') await mustExist(context.sql, input.account);
      const outcome = await operation.run(verbOf(context), input, context.actor);
      const data = { ...shape.shows(input), outcome };
      print(saying('done', { ...input, ...data }), data, { json: named.json === true });
    });
  });
}
