import { catalog } from '../../../language/catalog.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const healthTexts = catalog(
  { en, es },
  {
    behind: { minutes: 'count' },
    schemaBad: { count: 'count' },
    apart: { seconds: 'count' },
    times: { times: 'count', when: 'text' },
    off: { until: 'text' },
    room: { free: 'text', total: 'text' },
    keySince: { when: 'text' },
    toRewrap: { count: 'text' },
    used: { used: 'count', most: 'count' },
    lag: { seconds: 'count' },
    moved: { count: 'count' },
  },
);
