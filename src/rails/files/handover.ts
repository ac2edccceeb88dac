import { noteOperator } from '../../events/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Envelope } from '../../platform/envelope.ts';
import type { RailFile } from './store.ts';

/** A handover of an exported file. `envelope` names the recipient; null if it is unencrypted. */
export interface Handover {
  name: string;
  envelope: Envelope | null;
  actor: Actor;
}

/** Records who got the file, and for which recipient it was encrypted. */
export async function noteHandover(
  { sql, clocks, recordIds }: Base,
  file: RailFile,
  { name, envelope, actor }: Handover,
): Promise<void> {
  const reader = envelope && { subject: envelope.subject, fingerprint: envelope.fingerprint };
  await noteOperator(
    sql,
    { clocks, actor },
    {
      eventId: await recordIds.next(),
      entity: 'rail_file',
      entityId: String(file.id),
      type: 'rail_file.handed_over',
      data: { rail: file.rail, file: name, ...reader },
    },
  );
}
