import type { ComponentChildren } from 'preact';
import { clockMoving, clockSteps } from '../../../sandbox/operations.ts';
import { numberIn, type Portal, type ServiceVisit } from '../../frame/index.ts';
import { type OperationForm, operationForm } from '../../frame/operation.tsx';
import { type SandboxPageParts, simulatedIn } from './model.ts';
import { sandboxTexts } from './texts.ts';
import { type Moved, sandboxPage } from './views.tsx';

/** Serves the sandbox's page: its clock, and the search for a request whose payer is simulated. */
export function clockRoutes(portal: Portal, parts: SandboxPageParts): void {
  const on = { path: '/sandbox', act: 'sandbox.play' } as const;
  const clock = () => parts.base.clocks.business;
  const show = (visit: ServiceVisit, form: ComponentChildren, moved?: Moved) =>
    sandboxPage(visit, { now: clock().now(), form, moved });

  const moving: OperationForm<'sandbox.play'> = operationForm(portal, clockMoving, {
    path: '/sandbox/clock',
    on,
    brought: ['from'],
    verbOf() {
      simulatedIn(parts);
      return { clock: clock(), move: parts.moveClock };
    },
    initial: async () => ({ from: clock().now().toString() }),
    choices: async ({ lang }) => ({
      step: clockSteps.map((value) => ({ value, label: sandboxTexts[lang].steps[value] })),
    }),
    page: async (visit, form) => show(visit, form),
    done: async (visit, moved) => show(visit, await moving.form(visit), moved),
  });
  portal.page({
    ...on,
    async read(visit) {
      simulatedIn(parts);
      const text = (visit.query.get('number') ?? '').trim();
      const number = numberIn(text);
      if (number !== null) return { to: visit.at(`/sandbox/requests/${number}`) };
      const form = await moving.form(visit);
      return sandboxPage(visit, {
        now: clock().now(),
        form,
        ...(text !== '' && { unknown: text }),
      });
    },
  });
}
