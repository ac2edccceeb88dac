import type { ComponentChildren } from 'preact';
import type { Tone } from './parts.tsx';

export interface TimelineStep {
  readonly title: ComponentChildren;
  /** The time, for people and for machines; null if the step is yet to come. */
  readonly when: { readonly text: string; readonly iso: string } | null;
  readonly detail?: ComponentChildren;
  readonly tone?: Tone;
}

export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {steps.map(({ title, when, detail, tone = 'calm' }, index) => (
        <li key={index} class={`step step-${when === null ? 'open' : tone}`}>
          <p class="step-title">{title}</p>
          {when !== null && (
            <time class="step-when" dateTime={when.iso}>
              {when.text}
            </time>
          )}
          {detail !== undefined && <div class="step-detail">{detail}</div>}
        </li>
      ))}
    </ol>
  );
}
