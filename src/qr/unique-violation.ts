/**
 * Returns the constraint's name in an error's message, or ''. On a cluster node, only the message
 * contains it, followed by the shard's number.
 */
const namedInMessage = (message: string): string =>
  /violates unique constraint "(.+?)(?:_\d{6,})?"/.exec(message)?.[1] ?? '';

/** Returns true if a statement violated one of these constraints or unique indexes. */
export const isTaken = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error &&
  names.includes(
    'constraint' in error && error.constraint !== undefined
      ? String(error.constraint)
      : namedInMessage(error.message),
  );
