import type { MandateState } from '../../mandates/index.ts';
import { Badge, type Tone } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { RequestState } from '../../requests/index.ts';
import { stateNames } from './state-names.ts';

const requestTones: Readonly<Record<RequestState, Tone>> = {
  pending: 'wait',
  in_process: 'wait',
  paid: 'good',
  rejected: 'bad',
  expired: 'calm',
  canceled: 'calm',
  deleted: 'calm',
  reverted: 'bad',
  refunded: 'calm',
};

const mandateTones: Readonly<Record<MandateState, Tone>> = {
  pending_to_sign: 'wait',
  signed: 'good',
  canceled: 'calm',
};

type StateProps<State> = { lang: Lang; state: State };

export function RequestBadge({ lang, state }: StateProps<RequestState>) {
  return <Badge tone={requestTones[state]}>{stateNames[lang].requests[state]}</Badge>;
}

export function MandateBadge({ lang, state }: StateProps<MandateState>) {
  return <Badge tone={mandateTones[state]}>{stateNames[lang].mandates[state]}</Badge>;
}
