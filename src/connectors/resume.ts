import { noteOperator } from '../events/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { forgetAlarms } from './store.ts';

/** Clears a connector's alarms, with an event if there were any. Returns their number. */
export const resumeConnector =
  (base: Base) =>
  async (name: string, actor: Actor): Promise<number> => {
    const eventId = await base.recordIds.next();
    return await base.sql.begin(async (tx) => {
      const forgotten = await forgetAlarms(tx, name);
      const subject = { entity: 'connector', entityId: name, type: 'connector.resumed' };
      const event = { eventId, ...subject, data: { forgotten } };
      if (forgotten > 0) await noteOperator(tx, { ...base, actor }, event);
      return forgotten;
    });
  };
export type ResumeConnector = ReturnType<typeof resumeConnector>;
