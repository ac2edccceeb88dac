import { dayOf } from '../../../kernel/dates.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import { type Answer, numberIn, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { type SandboxPageParts, simulatedIn } from './model.ts';
import { type Step, sandboxTexts, steps } from './texts.ts';
import { type Played, sandboxPage } from './views.tsx';

const mostYears = 5;

const isStep = (text: string): text is Step => Object.hasOwn(steps, text);

/**
 * Returns when the form was shown, which is one of its fields, so that sending it twice moves the
 * clock once.
 */
function formTime({ posted }: ServiceVisit, now: Temporal.Instant): Temporal.Instant {
  try {
    return Temporal.Instant.from(posted.get('from') ?? '');
  } catch {
    return now;
  }
}

type Destination = { target: Temporal.Instant } | { fault: FieldFault };

/** Reads the clock's destination: a step or a day. */
function destinationIn(visit: ServiceVisit, now: Temporal.Instant): Destination {
  const texts = sandboxTexts[visit.lang];
  const from = formTime(visit, now);
  const step = visit.posted.get('step') ?? '';
  const until = (visit.posted.get('until') ?? '').trim();
  if (until === '') {
    if (isStep(step)) return { target: from.add(steps[step]) };
    return { fault: { field: 'step', label: texts.step, text: texts.stepFault } };
  }
  const fault = { field: 'until', label: texts.until, text: texts.untilFault };
  try {
    const days = dayOf(from).until(Temporal.PlainDate.from(until)).total('days');
    const far = days > mostYears * 365;
    return days < 1 || far ? { fault } : { target: from.add({ hours: days * 24 }) };
  } catch {
    return { fault };
  }
}

async function moves(visit: ServiceVisit, parts: SandboxPageParts): Promise<Answer> {
  simulatedIn(parts);
  const { base } = parts;
  const show = (played: Omit<Played, 'now'>) =>
    sandboxPage(visit, { ...played, now: base.clocks.business.now() });
  const now = base.clocks.business.now();
  const destination = destinationIn(visit, now);
  if ('fault' in destination) return show({ faults: [destination.fault] });
  const { target } = destination;
  if (Temporal.Instant.compare(target, now) <= 0) return show({ late: true });
  try {
    const { happened } = await parts.moveClock(visit.actor, target);
    return show({ happened });
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'conflict') return show({ blocked: true });
    throw error;
  }
}

/** Serves the page with the clock and links to simulated payments. */
export function clockRoutes(portal: Portal, parts: SandboxPageParts): void {
  portal.page({
    act: 'sandbox.play',
    path: '/sandbox',
    async read(visit) {
      simulatedIn(parts);
      const destination = (visit.query.get('number') ?? '').trim();
      const number = numberIn(destination);
      if (number !== null) return { to: visit.at(`/sandbox/requests/${number}`) };
      const now = parts.base.clocks.business.now();
      return sandboxPage(visit, { now, ...(destination !== '' && { unknown: destination }) });
    },
  });
  portal.form({
    act: 'sandbox.play',
    path: '/sandbox/clock',
    does: (visit) => moves(visit, parts),
  });
}
