import type { Centavos } from '../../../kernel/money.ts';
import type { SuspenseRow } from '../../../money/suspense/index.ts';
import { Badge, Figures, type Tone } from '../../../platform/pages/components/parts.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { suspenseTexts } from './texts.ts';

const tones: Record<SuspenseRow['state'], Tone> = {
  open: 'wait',
  assigned: 'good',
  returned: 'calm',
  reversed: 'bad',
};

export function SuspenseState({ lang, state }: { lang: Lang; state: SuspenseRow['state'] }) {
  return <Badge tone={tones[state]}>{suspenseTexts[lang].states[state]}</Badge>;
}

export function columnsOf(lang: Lang) {
  const texts = suspenseTexts[lang];
  return {
    id: { title: texts.number },
    paid_at: { title: texts.paid },
    channel: { title: texts.channel },
    code: { title: texts.code },
    reason: { title: texts.reason, says: texts.reasons },
    state: { title: texts.state, says: texts.states, tones, ofAll: true },
    amount: { title: texts.amount },
  };
}

export function Waiting({ lang, count, total }: { lang: Lang; count: number; total: Centavos }) {
  const texts = suspenseTexts[lang];
  return (
    <Figures
      items={[
        { label: texts.count, value: String(count) },
        { label: texts.total, value: moneyText(lang, total) },
      ]}
    />
  );
}
