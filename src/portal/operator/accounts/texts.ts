import type { AccountState } from '../../../accounts/index.ts';
import { catalog } from '../../../language/catalog.ts';
import type { Tone } from '../../../platform/pages/components/parts.tsx';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const stateTones: Readonly<Record<AccountState, Tone>> = {
  active: 'good',
  suspended: 'wait',
  closed: 'calm',
};

export const accountsTexts = catalog(
  { en, es },
  {
    keysActive: { count: 'count' },
    connectorLead: { name: 'text' },
    closedMandates: { count: 'count' },
  },
);
