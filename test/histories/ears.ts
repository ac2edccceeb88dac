import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openReceiver, type Received, status } from '../webhooks/receiver.ts';
import { type Heard, toBeHeard } from './model/events.ts';
import type { Play } from './play.ts';

/** Timeout of the last deliveries: leases of dead processes must expire first. */
const patienceMs = 100_000;

/** An integrator with a webhook for all events, which answers some first deliveries with a 500. */
export interface Ears {
  /** Checks that every event of the model arrived, once, in order per entity. */
  compare(play: Play): Promise<void>;
  close(): Promise<void>;
}

interface EventType {
  name: string;
}

const entityOf = ({ event }: Received): string => `${event.entity_name} ${event.entity_id}`;

function heardIn(taken: readonly Received[]): Heard {
  const heard: Heard = new Map();
  const sorted = taken.toSorted((a, b) => a.event.event_type.localeCompare(b.event.event_type));
  for (const one of sorted) {
    heard.set(entityOf(one), [...(heard.get(entityOf(one)) ?? []), one.event.event_type]);
  }
  return heard;
}

const asObject = (heard: Heard): Record<string, string[]> =>
  Object.fromEntries([...heard].sort(([a], [b]) => a.localeCompare(b)));

/** Returns each event's position in the feed, by the id of its delivery. */
async function placesOf(play: Play): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for (let after = 0; ; ) {
    const { data, next } = await play.get(`/event?limit=100&after=${after}`);
    for (const { id } of data as { id: number }[]) places.set(`evt_${id}`, places.size);
    if (data.length === 0) return places;
    after = next;
  }
}

/**
 * Returns the clock and these entities' events, with feed positions and delivery states, to explain
 * missing deliveries.
 */
async function beginningsOf(play: Play, entities: string[]): Promise<unknown> {
  const { done } = await play.desk(
    async (_desk, { sql }) =>
      await sql`
      select e.entity, e.entity_id, e.version, e.type, e.at::text as at, e.position, e.xid,
        d.state, pg_snapshot_xmin(pg_current_snapshot())::text as oldest
      from events e left join deliveries d using (account_id, entity, entity_id, version)
      where e.entity || ' ' || e.entity_id = any(${entities}::text[]) order by 1, 2, 3`,
  );
  const { answer } = await play.send('GET', '/sandbox/clock');
  return { clock: answer.body, events: done };
}

export async function openEars(play: Play): Promise<Ears> {
  const { deployment } = play;
  const receiver = await openReceiver();
  const taken: Received[] = [];
  const ids = new Set<string>();
  const refused = new Set<string>();
  receiver.answer((received, response) => {
    const id = received.headers['webhook-id'] ?? '';
    if (!ids.has(id) && !refused.has(id) && refused.size * 20 < ids.size) {
      refused.add(id);
      status(500)(received, response);
      return;
    }
    // Only a kill can lose the response of an accepted delivery, which is then repeated.
    if (!deployment.kills) expect.soft(ids.has(id), `told again: ${received.body}`).toBe(false);
    if (!ids.has(id)) taken.push(received);
    ids.add(id);
    status(204)(received, response);
  });
  const types = (await play.get('/event-type')).data as EventType[];
  const event_types = types.map(({ name }) => name);
  const answer = await play.post('/webhook', { webhook: { url: receiver.url, event_types } });
  expect(answer.status, answer.text).toBe(201);

  return {
    async compare(play) {
      const { model } = play;
      const until = Date.now() + patienceMs;
      const expected = toBeHeard(model);
      const count = [...expected.values()].reduce((sum, names) => sum + names.length, 0);
      while (taken.length < count && Date.now() < until) await sleep(50);
      const [heard, wanted] = [asObject(heardIn(taken)), asObject(expected)];
      const unheard = Object.keys(wanted).filter(
        (name) => heard[name]?.length !== wanted[name]?.length,
      );
      const told = JSON.stringify(unheard.length > 0 && (await beginningsOf(play, unheard)));
      expect(heard, `what webhooks heard, but ${told}`).toEqual(wanted);
      const places = await placesOf(play);
      const last = new Map<string, number>();
      for (const one of taken) {
        const place = places.get(one.headers['webhook-id'] ?? '') ?? -1;
        expect(place, one.body).toBeGreaterThan(last.get(entityOf(one)) ?? -1);
        last.set(entityOf(one), place);
      }
      expect(places.size, 'what the feed has').toBe(count);
    },
    close: () => receiver.close(),
  };
}
