import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';

/** Identifies the proposer, in case a second person must approve. */
export const operatorOption = [
  '--operator <email>',
  'the proposing operator; required for amounts that another operator must approve',
] as const;

/** Returns a command's actor, with the user if it names one. */
export const actingAs = (actor: Actor, userId: number | null): Actor =>
  userId === null || actor.kind !== 'operator' ? actor : { ...actor, userId };

/** Returns the operator named in a command, or null. Throws for an unknown one. */
export async function operatorNamed(
  { sql }: Pick<Base, 'sql'>,
  email: string | undefined,
): Promise<number | null> {
  if (email === undefined) return null;
  // The users module is slow to load, and few commands name a user.
  const { findOperator } = await import('../../users/index.ts');
  const id = await findOperator(sql, email);
  if (id === null) throw new Error(`There is no operator ${email}: see \`users list\`.`);
  return id;
}
