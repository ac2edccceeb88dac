/** Who did something: kept with every event. */
export type Actor =
  | { type: 'key'; prefix: string; id: number }
  | { type: 'user'; id: number }
  | { type: 'payer' }
  | { type: 'operator'; user: string; host: string; command: string }
  | { type: 'connector'; name: string }
  | { type: 'system' };

/** Its one form in the database: the type, then what tells it apart. Never a secret. */
export function actorText(actor: Actor): string {
  switch (actor.type) {
    case 'key':
      return `key:${actor.prefix}:${actor.id}`;
    case 'user':
      return `user:${actor.id}`;
    case 'operator':
      return `operator:${actor.user}@${actor.host}:${actor.command}`;
    case 'connector':
      return `connector:${actor.name}`;
    case 'payer':
    case 'system':
      return actor.type;
  }
}
