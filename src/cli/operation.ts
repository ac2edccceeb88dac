import type { Command } from 'commander';
import { mustExist } from '../accounts/operations.ts';
import type { Members } from '../platform/http/form.ts';
import type { Operation } from '../platform/operations.ts';
import { type BaseContext, nameBelow, withBase } from './command.ts';
import { invocation } from './invocation.ts';
import { takeMembers } from './members.ts';
import { actingAs, operatorNamed } from './money/operator.ts';
import type { Answering } from './print.ts';
import { print, printRows } from './print.ts';

/** `by` is the user named in the command, or null. */
type Context = BaseContext & { by: number | null };

/** Builds an operation's command. Its flags, help and output come from the declaration. */
export function operationCommand<M extends Members, Verb, Outcome>(
  parent: Command,
  operation: Operation<M, Verb, Outcome>,
  verbOf: (context: Context) => Verb | Promise<Verb>,
): void {
  const { name, members, command: shape, text } = operation;
  if (shape === undefined) throw new Error(`${name} has no command`);
  const saying = (key: string, parameters = {}) => text(key, 'en', parameters) ?? key;
  const word = name.slice(name.lastIndexOf('.') + 1);
  const command = parent.command(word).description(saying('does'));
  const inputOf = takeMembers(command, members, shape, text);
  if (shape.operator !== undefined) {
    const option = command.createOption('--operator <email>', saying('operator'));
    command.addOption(option.makeOptionMandatory(shape.operator === 'always'));
  }
  command.action((...given: unknown[]) => {
    const { input, options } = inputOf(given);
    const { operator, json } = options as Answering & { operator?: string };
    const [broken] = Object.values(operation.rules?.(input as never) ?? {});
    if (broken !== undefined) command.error(`error: ${broken}`);
    return withBase(nameBelow(parent, word), async (context) => {
      if (typeof input.account === 'string') await mustExist(context.sql, input.account, shape);
      const by = await operatorNamed(context.base, operator);
      const verb = await verbOf({ ...context, by });
      const outcome = await operation.run(verb, input as never, actingAs(context.actor, by));
      if (shape.lists) return printRows(shape.lists(outcome), options as Answering);
      const presented = shape.shows?.(input as never, outcome);
      const data = typeof outcome === 'string' ? { ...presented, outcome } : { ...presented };
      print(saying('done', { ...input, ...data }), data, { json: json === true });
      const aside = json === true ? null : text('aside', 'en', data);
      if (aside !== null) invocation().stderr.write(`${aside}\n`);
    });
  });
}
