/** The author of a change, stored with every event. */
export type Actor =
  | { kind: 'key'; prefix: string; id: number }
  | { kind: 'user'; id: number }
  | { kind: 'payer' }
  /**
   * `userId` is the portal user that the command names. It is stored in the event's data, not in
   * the text.
   */
  | { kind: 'operator'; user: string; host: string; command: string; userId?: number }
  | { kind: 'connector'; name: string }
  /** A network or bank, as named by its file. */
  | { kind: 'rail'; name: string }
  | { kind: 'system' };

export type Operator = Extract<Actor, { kind: 'operator' }>;

/** Anyone who opens a payer's or holder's link. */
export const payer: Actor = { kind: 'payer' };
/** Sweeps, and changes by the service itself. */
export const system: Actor = { kind: 'system' };

/** Returns the text that the database stores for an actor: kind and identifier, never a secret. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'key':
      return `key:${actor.prefix}:${actor.id}`;
    case 'user':
      return `user:${actor.id}`;
    case 'operator':
      return `operator:${actor.user}@${actor.host}:${actor.command}`;
    case 'connector':
    case 'rail':
      return `${actor.kind}:${actor.name}`;
    case 'payer':
    case 'system':
      return actor.kind;
  }
}

/** Returns the portal user named by a command, as event data. */
export const namedUser = (actor: Actor): { user_id?: number } =>
  actor.kind === 'operator' && actor.userId !== undefined ? { user_id: actor.userId } : {};

const userForm = /^user:(\d+)$/;

/** Key prefixes and user names may contain colons and at signs, unlike the parts after them. */
const forms: readonly [RegExp, (...parts: string[]) => Actor][] = [
  [/^key:(.+):(\d+)$/s, (prefix = '', id) => ({ kind: 'key', prefix, id: Number(id) })],
  [userForm, (id) => ({ kind: 'user', id: Number(id) })],
  [
    /^operator:(.+)@([^@]+):([^:@]+)$/s,
    (user = '', host = '', command = '') => ({ kind: 'operator', user, host, command }),
  ],
  [/^connector:(.+)$/s, (name = '') => ({ kind: 'connector', name })],
  [/^rail:(.+)$/s, (name = '') => ({ kind: 'rail', name })],
  [/^payer$/, () => payer],
  [/^system$/, () => system],
];

/** Parses an actor's text. Throws if `actorText` did not write it. */
export function readActor(text: string): Actor {
  for (const [form, build] of forms) {
    const parts = form.exec(text);
    if (parts) return build(...parts.slice(1));
  }
  throw new Error(`"${text}" names no actor`);
}

/** Returns the id of the acting user, or an empty list if no portal user acted. */
export function userOf(text: string): number[] {
  const [, id] = userForm.exec(text) ?? [];
  return id === undefined ? [] : [Number(id)];
}
