import type { Base } from '../../platform/base.ts';
import { findOperator } from '../../users/index.ts';

/** What names the person who proposes something, should it take a second one. */
export const operatorOption = [
  '--operator <email>',
  'who proposes it, where it is so much that another operator has to approve it',
] as const;

/** The user that a command names; null: it names none. Throws where nobody operates under it. */
export async function operatorNamed(
  { sql }: Pick<Base, 'sql'>,
  email: string | undefined,
): Promise<number | null> {
  if (email === undefined) return null;
  const id = await findOperator(sql, email);
  if (id === null) throw new Error(`There is no operator ${email}: see \`users list\`.`);
  return id;
}
